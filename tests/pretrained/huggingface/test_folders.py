"""Models below an allowed folder: what may be loaded is loaded, and everything hostile is refused before it is."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest
from transformers import MambaConfig, MambaModel

from pretrained.huggingface.answer_file import read_readings
from pretrained.huggingface.answering import answer
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import CONFIGURATION, first_line, model_names
from pretrained.huggingface.recorded import Head, TextRecording
from pretrained.huggingface.weights import TensorHeader, refuse_more_layers
from tests.fixtures.foreign_models import random_model, reading_request, small_tokenizer
from viz.base.words import page_text

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
WORDS = page_text("base/given_models")


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


def read(root: Path, name: str = "bert", **changes: Any) -> tuple[TextRecording, ...]:
    """Return what the process answers."""
    with TemporaryFile() as file:
        file.write(reading_request(root, name, **changes).to_line())
        file.seek(0)
        answer(file)
        return read_readings(file)


def refused(root: Path, name: str = "bert", **changes: Any) -> str:
    """Return the sentence with which the process refuses the model."""
    with pytest.raises(ForeignModelError) as error:
        read(root, name, **changes)
    return WORDS[f"problem {error.value.key}"].format(**error.value.values)


def edit(file: Path, **changes: Any) -> None:
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | changes), encoding="utf-8")


def test_models_are_found_below_the_folder(whole: Path, tmp_path: Path) -> None:
    assert model_names(whole) == ("by/bert",)
    assert model_names(tmp_path) == ()


@pytest.mark.parametrize("written", [b"", b"Killed", b'{"readings": [{"blocks": [{"shape": [1, 2, 3, 3]'])
def test_a_process_that_died_is_said_to_have(written: bytes) -> None:
    with TemporaryFile() as out:
        out.write(written)
        with pytest.raises(ForeignModelError, match="died"):
            read_readings(out)


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
        (lambda folder: (folder / "model.safetensors").write_bytes(b"\xff" * 99), "no file of safetensors"),
        (lambda folder: (folder / "model.safetensors").write_bytes(POINTER), "fetch the file by `git lfs pull`"),
        (lambda folder: (folder / CONFIGURATION).write_bytes(POINTER), "The file config.json is a pointer"),
        (change_configuration(auto_map={"AutoModel": "evil.Model"}), "never run here"),
        (lambda folder: edit(folder / "tokenizer_config.json", auto_map={"AutoTokenizer": ["evil.T"]}), "never run"),
        (change_configuration(model_type="`![](//e.example)"), "knows no kind of model"),
        (change_configuration(model_type=None), "knows no kind of model"),
        (lambda folder: (folder / CONFIGURATION).write_text("{", encoding="utf-8"), "config.json"),
        (lambda folder: (folder / CONFIGURATION).write_text("[" * 10**5, encoding="utf-8"), "config.json"),
        (change_configuration(vocab_size=10**10), "needs 680 GB"),
        (change_configuration(hidden_size=20), "in the shape of "),
        (change_configuration(hidden_size=-1), "does not load"),
        (change_configuration(num_hidden_layers=10**9), "1,000,000,000 layers, and the weights hold 2"),
        (change_configuration(num_hidden_layers=3), "lack 16 of this model's tensors (bert."),
        (change_configuration(num_hidden_layers=1), "more than config.json describes, 16 of the tensors"),
        (change_configuration(quantization_config={"quant_method": "gptq"}), "below half precision"),
        (lambda folder: (folder / "tokenizer_config.json").write_text("[]", encoding="utf-8"), "tokenizer_config.json"),
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
        ({"text": "cat " * 600, "most_tokens": 1000}, "602 tokens, and at most 512"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_in_a_sentence(root: Path, changes: dict[str, Any], said: str) -> None:
    assert said in refused(root, **changes)


def test_an_error_names_no_folder_of_the_server() -> None:
    assert first_line(OSError("cannot open /srv/models/a.json now")) == "cannot open … now"


@pytest.mark.parametrize("key", ["vision_feature_layer", "exit_layer", "layer"])
def test_the_number_of_one_layer_may_count_from_the_end(key: str) -> None:
    headers = {"layers.1.weight": TensorHeader("F32", (2, 2))}
    refuse_more_layers({"num_hidden_layers": 2, key: -2}, headers)


@pytest.mark.parametrize("key", ["n_layer", "num_layer", "n_layers", "encoder_layers", "num_hidden_layers", "layers"])
def test_a_number_of_layers_below_none_is_refused(key: str) -> None:
    with pytest.raises(ForeignModelError, match="less than no layer"):
        refuse_more_layers({"text_config": {key: -1}}, {})
