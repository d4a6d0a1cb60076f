"""Models below an allowed folder: what may be loaded is loaded, and everything hostile is refused before it is."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import pytest
from transformers import MambaConfig, MambaModel

from pretrained.huggingface.answer_file import read_answer
from pretrained.huggingface.apart import Request, answer, record_apart
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import CONFIGURATION, checked_folder, first_line, load, model_names
from pretrained.huggingface.recorded import Head
from pretrained.huggingface.recording import record
from tests.fixtures.foreign_models import TEXT, random_model, small_tokenizer
from viz.base.words import page_text

MOST_BYTES = 10**8
WORDS = page_text("base/given_models")


MASKED = "the [MASK] sat"


def save(folder: Path) -> Path:
    random_model("BERT", head="ForMaskedLM").save_pretrained(folder)
    small_tokenizer().save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the allowed folder, with a BERT in it."""
    root = tmp_path_factory.mktemp("root")
    save(root / "by" / "bert")
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return an allowed folder of the test's own, with a BERT in it."""
    root = tmp_path / "root"
    save(root / "bert")
    return root


def request(root: Path, name: str = "bert", text: str = TEXT, **changes: Any) -> Request:
    most = {"most_bytes": MOST_BYTES, "most_tokens": 256, "most_numbers": 10**6}
    return Request(**{"root": str(root), "name": name, "text": text, "target": None} | most | changes)


def refused(root: Path, name: str = "bert", **changes: Any) -> str:
    """Return the sentence with which the process refuses the model."""
    line = json.dumps(asdict(request(root, name, **changes))).encode()
    with TemporaryFile() as out:
        answer(line, out)
        with pytest.raises(ForeignModelError) as error:
            read_answer(out)
    return WORDS[f"problem {error.value.key}"].format(**error.value.values)


def edit(file: Path, **changes: Any) -> None:
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | changes), encoding="utf-8")


def test_models_are_found_below_the_folder(whole: Path, tmp_path: Path) -> None:
    assert model_names(whole) == ("by/bert",)
    assert model_names(tmp_path) == ()


def test_a_process_of_its_own_returns_what_the_model_gives(whole: Path) -> None:
    off = (Head("self", 0, 1),)
    readings = record_apart(request(whole, "by/bert", MASKED, off=off), most_seconds=100)
    model, tokenizer = load(checked_folder(whole, "by/bert", MOST_BYTES), MOST_BYTES)
    expected = record(model, tokenizer, MASKED, off=off)
    for reading, other in zip(readings, expected, strict=True):
        ((found,), (wanted,)) = reading.blocks, other.blocks
        assert (found.name, found.queries, found.keys) == (wanted.name, wanted.queries, wanted.keys)
        np.testing.assert_allclose(found.layers, np.concatenate(wanted.layers), atol=1e-6)
        assert reading.predictions[0].place == other.predictions[0].place == 2
        shares, probabilities = (dict(one.predictions[0].candidates) for one in (reading, other))
        assert shares == pytest.approx(probabilities)


@pytest.mark.parametrize("written", [b"", b"Killed", b'{"readings": [{"blocks": [{"shape": [1, 2, 3, 3]'])
def test_a_process_that_died_is_said_to_have(written: bytes) -> None:
    with TemporaryFile() as out:
        out.write(written)
        with pytest.raises(ForeignModelError, match="died"):
            read_answer(out)


def test_a_process_that_takes_too_long_is_stopped(whole: Path) -> None:
    with pytest.raises(ForeignModelError, match="too slow"):
        record_apart(request(whole, "by/bert"), most_seconds=0.1)


def test_a_process_whose_visitor_left_is_stopped(whole: Path) -> None:
    def leave(_: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        record_apart(request(whole, "by/bert"), most_seconds=100, tick=leave)


@pytest.mark.parametrize("name", ["../root/bert", "bert/../../root/bert", "/etc", "none", ""])
def test_only_a_folder_below_the_allowed_one_is_a_model(root: Path, name: str) -> None:
    assert "choose one from the list" in refused(root, name)


def test_a_symbolic_link_out_of_the_folder_is_not_followed(root: Path, tmp_path: Path) -> None:
    (root / "linked").symlink_to(save(tmp_path / "elsewhere"))
    assert model_names(root) == ("bert",)
    assert "leads out" in refused(root, "linked")
    weights = root / "bert" / "model.safetensors"
    weights.unlink()
    weights.symlink_to(tmp_path / "elsewhere" / "model.safetensors")
    assert "leads out" in refused(root)


@pytest.mark.parametrize("file", ["tokenizer_config.json", "model.safetensors.index.json"])
def test_no_file_names_another_one_outside(root: Path, tmp_path: Path, file: str) -> None:
    (tmp_path / "secret").write_text("{}", encoding="utf-8")
    named = {"vocab_file": str(tmp_path / "secret"), "weight_map": {"a": "../../secret"}}
    (root / "bert" / file).write_text(json.dumps(named), encoding="utf-8")
    assert "leads out" in refused(root)


def change_configuration(**changes: Any) -> Callable[[Path], None]:
    return lambda folder: edit(folder / CONFIGURATION, **changes)


def pickle_weights(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (pickle_weights, "pickled"),
        (lambda folder: (folder / "model.safetensors").unlink(), "no weights"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"\xff" * 99), "does not load"),
        (change_configuration(auto_map={"AutoModel": "evil.Model"}), "never run here"),
        (lambda folder: edit(folder / "tokenizer_config.json", auto_map={"AutoTokenizer": ["evil.T"]}), "never run"),
        (change_configuration(model_type="`![](//e.example)"), "knows no kind of model"),
        (change_configuration(model_type=None), "knows no kind of model"),
        (lambda folder: (folder / CONFIGURATION).write_text("{", encoding="utf-8"), "config.json"),
        (lambda folder: (folder / CONFIGURATION).write_text("[" * 10**5, encoding="utf-8"), "config.json"),
        (change_configuration(vocab_size=10**10), "needs 680 GB"),
        (change_configuration(hidden_size=10), "does not load"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}", encoding="utf-8"), "tokenizer"),
    ],
)
def test_a_model_that_cannot_be_used_is_refused_in_a_sentence(
    root: Path, damage: Callable[[Path], object], said: str
) -> None:
    damage(root / "bert")
    assert said in refused(root)


def test_weights_are_measured_before_they_are_loaded(root: Path) -> None:
    with (root / "bert" / "model-00002.safetensors").open("wb") as file:
        file.truncate(20 * 10**9)
    assert "needs 20 GB" in refused(root)


def test_a_model_without_attention_is_refused_in_a_sentence(tmp_path: Path) -> None:
    config = MambaConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, state_size=2)
    MambaModel(config).save_pretrained(tmp_path / "mamba")
    small_tokenizer().save_pretrained(tmp_path / "mamba")
    assert "MambaModel gives no attention" in refused(tmp_path, "mamba")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"text": "cat " * 25_000}, "25,002 tokens, and at most 256"),
        ({"most_numbers": 10}, "at most 10 can be shown"),
        ({"target": "the cat"}, "leave the target out"),
        ({"off": (Head("self", 1, 8),)}, "no head 9 in layer 2"),
        ({"text": "cat " * 600, "most_tokens": 1000}, "fails on this text"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_in_a_sentence(root: Path, changes: dict[str, Any], said: str) -> None:
    assert said in refused(root, **changes)


def test_an_error_names_no_folder_of_the_server() -> None:
    assert first_line(OSError("cannot open /srv/models/a.json now")) == "cannot open … now"
