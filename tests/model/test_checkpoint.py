"""Weights on disk: what is written is read back, and what is damaged is refused."""

import hashlib
from pathlib import Path
from typing import IO

import pytest
import torch
from torch import nn

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import (
    DamagedWeightsError,
    average_weights,
    load_state,
    load_weights,
    save_state,
    save_weights,
)


def test_weights_come_back_in_half_precision(make_model, tmp_path: Path) -> None:
    model: EncoderDecoder = make_model()
    path = tmp_path / "weights.safetensors"
    sha256 = save_weights(model.state_dict(), path)
    assert sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    other = make_model()
    load_weights(other, path, sha256=sha256)
    for name, weight in other.state_dict().items():
        assert weight.dtype == torch.float32
        assert torch.equal(weight, model.state_dict()[name].half().float())
    n_values = sum(weight.numel() for weight in model.state_dict().values())
    assert 2 * n_values < path.stat().st_size < 2 * n_values + 20_000


def test_a_missing_file_is_refused_by_name(make_model, tmp_path: Path) -> None:
    with pytest.raises(DamagedWeightsError, match=r"^no weights: file lost\.safetensors$"):
        load_weights(make_model(), tmp_path / "lost.safetensors", sha256="0" * 64)


def test_a_changed_file_is_refused_with_both_checksums(make_model, tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    sha256 = save_weights(make_model().state_dict(), path)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(
        DamagedWeightsError, match=rf"^other checksum: file {path.name}, sha256 [0-9a-f]{{64}}, recorded {sha256}$"
    ):
        load_weights(make_model(), path, sha256=sha256)


@pytest.mark.parametrize("changes", [{"d_model": 8}, {"n_encoder_layers": 1}, {"n_decoder_layers": 4}])
def test_weights_of_another_model_are_refused(make_model, tmp_path: Path, changes: dict[str, int]) -> None:
    path = tmp_path / "weights.safetensors"
    sha256 = save_weights(make_model().state_dict(), path)
    with pytest.raises(DamagedWeightsError, match=f"^does not fit: file {path.name}, problem ."):
        load_weights(make_model(**changes), path, sha256=sha256)


def test_a_file_that_holds_no_weights_is_refused(make_model, tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    path.write_bytes(b"no weights")
    with pytest.raises(DamagedWeightsError, match=f"^does not fit: file {path.name}, problem ."):
        load_weights(make_model(), path, sha256=hashlib.sha256(b"no weights").hexdigest())


def test_the_average_is_that_of_every_tensor() -> None:
    checkpoints = [{"a": torch.full((2,), float(value)), "b": torch.tensor(value * 10.0)} for value in (1, 2, 6)]
    mean = average_weights(checkpoints)
    assert mean["a"].tolist() == [3.0, 3.0]
    assert mean["b"].item() == 30.0
    assert checkpoints[0]["a"].tolist() == [1.0, 1.0]


def test_a_state_comes_back(tmp_path: Path) -> None:
    state = {"weights": {"w": torch.randn(3)}, "step": 7, "recent": [{"w": torch.zeros(1)}]}
    save_state(state, tmp_path / "checkpoint.pt")
    found = load_state(tmp_path / "checkpoint.pt")
    assert torch.equal(found["weights"]["w"], state["weights"]["w"])
    assert found["step"] == 7
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.pt"]


def test_a_crash_while_writing_leaves_the_state_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "checkpoint.pt"
    save_state({"step": 1}, path)

    def crash(state: object, file: IO[bytes]) -> None:
        del state
        file.write(b"half")
        raise OSError("no space left")

    monkeypatch.setattr(torch, "save", crash)
    with pytest.raises(OSError, match="no space left"):
        save_state({"step": 2}, path)
    assert load_state(path) == {"step": 1}


def test_nothing_in_a_state_is_executed(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    torch.save({"model": nn.Linear(1, 1)}, path)
    with pytest.raises(Exception, match="Weights only load failed"):
        load_state(path)
