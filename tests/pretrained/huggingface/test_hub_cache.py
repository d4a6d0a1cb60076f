"""Models in the cache of the hub: found by name, and read through links that stay in it."""

from pathlib import Path

import pytest

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import checked_folder
from pretrained.huggingface.hub_cache import cache_folder, cached_models
from tests.fixtures.foreign_models import random_model, small_tokenizer

MOST_BYTES = 10**8
REVISION = "a" * 40


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """Return a cache that holds a BERT as the hub's client lays it down."""
    root = tmp_path / "hub" / "models--lab--tiny-bert"
    snapshot, blobs = root / "snapshots" / REVISION, root / "blobs"
    random_model("BERT").save_pretrained(blobs)
    small_tokenizer().save_pretrained(blobs)
    snapshot.mkdir(parents=True)
    for number, blob in enumerate(sorted(blobs.iterdir())):
        (snapshot / blob.name).symlink_to(Path("../../blobs", f"{number}"))
        blob.rename(blobs / f"{number}")
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text(REVISION, encoding="utf-8")
    return tmp_path / "hub"


def test_a_cached_model_has_its_name_and_size_and_is_read_through_its_links(cache: Path) -> None:
    (model,) = cached_models(cache)
    assert model.name == "lab/tiny-bert"
    weights = cache / "models--lab--tiny-bert" / model.place / "model.safetensors"
    assert model.n_bytes == weights.stat().st_size > 0
    assert checked_folder(model.root, model.place, MOST_BYTES) == weights.parent


def test_a_link_out_of_the_model_is_not_followed(cache: Path, tmp_path: Path) -> None:
    (model,) = cached_models(cache)
    (tmp_path / "secret.json").write_text("{}", encoding="utf-8")
    (model.root / model.place / "vocab.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(ForeignModelError, match="outside"):
        checked_folder(model.root, model.place, MOST_BYTES)


def test_the_revision_of_the_name_is_taken_and_what_was_not_fetched_whole_is_no_model(cache: Path) -> None:
    other = cache / "models--lab--tiny-bert" / "snapshots" / ("b" * 40)
    other.mkdir()
    (other / "config.json").write_text("{}", encoding="utf-8")
    (cache / "models--lab--part" / "snapshots" / "c").mkdir(parents=True)
    assert [model.place for model in cached_models(cache)] == [f"snapshots/{REVISION}"]
    (cache / "models--lab--tiny-bert" / "refs" / "main").write_text("../../../../etc", encoding="utf-8")
    assert [model.place for model in cached_models(cache)] == [f"snapshots/{'b' * 40}"]
    assert cached_models(cache / "none") == ()


def test_the_cache_lies_where_the_client_of_the_hub_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "huggingface" / "hub"
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    assert cache_folder() == tmp_path / "cache"
