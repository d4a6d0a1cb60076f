"""Publishing a language model, loading what is published, and refusing what is damaged."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from model.checkpoint import DamagedWeightsError
from model.training.language_model.run import load_run
from pretrained import language_models, shipped
from pretrained.language_models import language_model_results, load_language_model, shipped_language_models
from pretrained.publishing.__main__ import main as publish

FILES = {"weights.safetensors", "config.json", "vocabulary.json", "metrics.json", "card.md"}
HERE = shipped_language_models()

pytestmark = pytest.mark.unchecked


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(language_models, "LANGUAGE_MODELS", tmp_path / "language_models")
    return tmp_path / "language_models"


@pytest.fixture
def published(train_language_model: Callable[..., Path], folder: Path) -> Path:
    """The folder of the shipped model ``tiny``."""
    assert publish_run(train_language_model()) == 0
    return folder / "tiny"


def publish_run(run: Path, *more: str) -> int:
    return publish(["language_model", str(run), "--device", "cpu", "--n-rows", "2", "--skipped", "10", *more])


def test_a_published_model_is_complete_and_is_the_run_s(published: Path, tmp_path: Path) -> None:
    assert {path.name for path in published.iterdir()} == FILES
    assert shipped_language_models(published.parent) == ("tiny",)
    loaded, run = load_language_model("tiny", published.parent), load_run(tmp_path / "tiny-1")
    assert (loaded.name, loaded.segment_length, loaded.mem_len) == ("tiny", 10, 12)
    assert loaded.vocabulary == run.vocabulary
    assert not loaded.model.training
    tokens = torch.arange(20)[None] % run.vocabulary.size
    with torch.no_grad():
        torch.testing.assert_close(loaded.model(tokens), run.model(tokens), atol=2e-3, rtol=1e-2)


def test_the_score_is_that_of_the_weights_as_they_ship(published: Path, tmp_path: Path) -> None:
    score = load_language_model("tiny", published.parent).metrics["test"]
    options = ["--device", "cpu", "--n-rows", "2", "--skipped", "10"]
    assert publish(["evaluate_language_model", str(tmp_path / "tiny-1"), *options]) == 0
    (before,) = json.loads((tmp_path / "tiny-1" / "evaluations.json").read_text())
    assert score["bits_per_character"] == pytest.approx(before["bits_per_character"], abs=1e-3)
    assert score["bits_per_character"] != before["bits_per_character"]
    assert score["n_counted"] == before["n_counted"]


def test_a_shipped_model_is_read_in_other_ways_without_its_run(published: Path, tmp_path: Path) -> None:
    kept = tmp_path / "more.json"
    options = ["--device", "cpu", "--n-rows", "2", "--skipped", "10", "--results", str(kept)]
    assert publish(["evaluate_language_model", str(published), *options]) == 0
    assert publish(["evaluate_language_model", str(published), *options, "--window", "30"]) == 0
    as_trained, windowed = json.loads(kept.read_text())
    metrics = load_language_model("tiny", published.parent).metrics
    assert as_trained["bits_per_character"] == metrics["test"]["bits_per_character"]
    assert windowed["reading"] == {"kind": "ThroughWindow", "window": 30}
    assert (windowed["name"], windowed["seed"], windowed["step"]) == ("tiny", 1, metrics["step"])


def test_the_card_says_where_the_model_comes_from_and_what_it_reaches(published: Path, tmp_path: Path, capsys) -> None:
    assert publish_run(tmp_path / "tiny-1") == 0
    card, metrics = (published / "card.md").read_text(), json.loads((published / "metrics.json").read_text())
    assert capsys.readouterr().out.startswith(card)
    assert card.startswith("# tiny\n")
    for part in ("**Data.**", "--seed 1", metrics["history"][0]["commit"], "A text file of its trainer's own."):
        assert part in card
    assert f"{metrics['test']['bits_per_character']:.4f} bits per character" in card
    assert metrics["test"]["command"].startswith("python -m pretrained.publishing language_model ")


def test_results_of_every_seed_are_kept_and_weights_of_those_that_ship(
    train_language_model: Callable[..., Path], folder: Path
) -> None:
    for seed in (1, 2):
        run = train_language_model(seed=seed)
        assert (
            publish(["evaluate_language_model", str(run), "--device", "cpu", "--skipped", "0", "--mem-len", "0", "12"])
            == 0
        )
        assert publish_run(run, *["--results-only"][: seed - 1]) == 0
    assert publish_run(run, "--results-only") == 0
    measured = [(entry["name"], entry["seed"], entry["reading"]["mem_len"]) for entry in language_model_results(folder)]
    assert measured == [("tiny", seed, mem_len) for seed in (1, 2) for mem_len in (0, 12)]
    assert shipped_language_models(folder) == ("tiny",)
    assert load_language_model("tiny", folder).metrics["training"]["seed"] == 1


def test_a_language_model_is_no_translator() -> None:
    assert not set(shipped()) & {"language_models", *HERE}


def test_where_nothing_was_published_there_is_nothing(tmp_path: Path) -> None:
    assert shipped_language_models(tmp_path) == ()
    assert language_model_results(tmp_path) == []
    with pytest.raises(ValueError, match="no language model 'tiny' ships; there are none"):
        load_language_model("tiny", tmp_path)


@pytest.mark.parametrize("name", sorted(FILES - {"card.md"}))
def test_a_damaged_file_is_refused_by_name(published: Path, name: str) -> None:
    content = (published / name).read_bytes()
    (published / name).write_bytes(content[: len(content) // 2])
    with pytest.raises(DamagedWeightsError, match=name.replace(".", r"\.")):
        load_language_model("tiny", published.parent)


@pytest.mark.parametrize("name", sorted(FILES - {"card.md", "config.json"}))
def test_a_missing_file_is_refused_by_name(published: Path, name: str) -> None:
    (published / name).unlink()
    with pytest.raises(DamagedWeightsError, match=name.replace(".", r"\.")):
        load_language_model("tiny", published.parent)


def test_weights_of_another_model_are_refused(published: Path) -> None:
    weights = bytearray((published / "weights.safetensors").read_bytes())
    weights[-1] ^= 1
    (published / "weights.safetensors").write_bytes(weights)
    with pytest.raises(DamagedWeightsError, match=r"^other checksum"):
        load_language_model("tiny", published.parent)


def test_metrics_that_do_not_say_how_it_was_trained_are_refused(published: Path) -> None:
    metrics = json.loads((published / "metrics.json").read_text())
    (published / "metrics.json").write_text(json.dumps(metrics | {"training": None}))
    with pytest.raises(DamagedWeightsError, match=r"^no training: model tiny$"):
        load_language_model("tiny", published.parent)


def test_a_model_half_published_does_not_ship(published: Path) -> None:
    published.rename(published.with_name("tiny.unfinished"))
    assert shipped_language_models(published.parent) == ()


@pytest.mark.parametrize("options", [[], ["--skipped", "4000"]], ids=["no run", "text too short"])
def test_what_cannot_be_published_gets_one_line(
    train_language_model: Callable[..., Path], folder: Path, capsys, options: list[str]
) -> None:
    run = train_language_model() if options else folder / "nowhere"
    capsys.readouterr()
    assert publish_run(run, *options) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert shipped_language_models(folder) == ()


@pytest.mark.parametrize("name", HERE)
def test_what_ships_loads(name: str) -> None:
    loaded = load_language_model(name)
    assert sum(parameter.numel() for parameter in loaded.model.parameters()) == loaded.metrics["n_parameters"]
    assert f"{loaded.metrics['test']['bits_per_character']:.4f}" in (
        language_models.LANGUAGE_MODELS / name / "card.md"
    ).read_text(encoding="utf-8")
