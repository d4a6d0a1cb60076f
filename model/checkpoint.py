"""Weights and training states on disk: safetensors to ship, resumable checkpoints to train."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save_file
from torch import Tensor, nn

from model.files import replace_file


class DamagedWeightsError(Exception):
    """A file of a stored model is missing, is not the recorded one, or does not fit the model.

    Attributes:
        key: what is wrong; a page has the sentence for it.
        values: the fields of that sentence, such as the file.
    """

    def __init__(self, key: str, **values: str) -> None:
        """Say it for developers: the key and the values."""
        super().__init__(f"{key}: {', '.join(f'{name} {value}' for name, value in values.items())}")
        self.key, self.values = key, values


def save_weights(weights: Mapping[str, Tensor], path: Path) -> str:
    """Write ``weights`` as float16 safetensors; return the SHA-256 of the file."""
    save_file({name: tensor.detach().to("cpu", torch.float16).contiguous() for name, tensor in weights.items()}, path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def load_weights(model: nn.Module, path: Path, *, sha256: str) -> None:
    """Fill ``model`` with the weights in ``path``, after checking the file against ``sha256``.

    Raises:
        DamagedWeightsError: no such file, another checksum, or tensors that do not fit the model.
    """
    if not path.is_file():
        raise DamagedWeightsError("no weights", file=path.name)
    content = path.read_bytes()
    actual = hashlib.sha256(content).hexdigest()
    if actual != sha256:
        raise DamagedWeightsError("other checksum", file=path.name, sha256=actual, recorded=sha256)
    try:
        model.load_state_dict({name: tensor.float() for name, tensor in load(content).items()})
    except (RuntimeError, SafetensorError) as error:
        raise DamagedWeightsError("does not fit", file=path.name, problem=str(error)) from error


def n_parameters(tensors: Iterable[Tensor]) -> int:
    """Return how many numbers ``tensors`` hold together."""
    return sum(tensor.numel() for tensor in tensors)


def average_weights(checkpoints: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of every tensor over ``checkpoints`` (Vaswani et al. 2017, §6.1)."""
    return {name: torch.stack([weights[name] for weights in checkpoints]).mean(0) for name in checkpoints[0]}


def save_state(state: Mapping[str, Any], path: Path) -> None:
    """Write a training state; a crash while writing leaves the state before it intact."""

    def write(unfinished: Path) -> None:
        with unfinished.open("wb") as file:  # torch would put the name of a path into the file
            torch.save(dict(state), file)

    replace_file(path, write)


def load_state(path: Path) -> dict[str, Any]:
    """Return a training state, tensors and plain values only: nothing in the file is executed."""
    state: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    return state
