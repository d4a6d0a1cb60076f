"""What a file of safetensors says of itself: names, types and shapes of its tensors, read without their numbers."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pretrained.huggingface.errors import ForeignModelError

SAFE = ".safetensors"
"""How a file of weights ends that holds numbers alone."""
MAX_HEADER = 10**7
"""Bytes of a header; those of models with a hundred billion weights have a tenth of that."""
_POINTER = b"version https://git-lfs"
_LARGEST_POINTER = 1_024
_FIRST_NUMBER = re.compile(r"^(.*?)\.(\d{1,9})\.")
# The number of layers, and not that of one among them, which may count from the end.
_N_LAYERS = re.compile(r"(?:^|_)layers$|^n(?:um)?_(?:\w+_)?layer$")
# Layers that share their weights, as in ALBERT, are one in the file.
_MOST_SHARED = 100
_QUANTIZED_NAMES = (".qweight", ".SCB", ".absmax", ".quant_map", ".weight_scale", ".weight_scale_inv")
_QUANTIZED_TYPES = ("F8_", "F4", "F6_", "MX")
# MLX has the last of these.
_QUANTIZED_KEYS = ("quantization_config", "compression_config", "quantization")
# Whole numbers in place of weights mean something by a scale that stands elsewhere; positions are kept in them, too.
_WHOLE_NUMBERS = ("I", "U")
_NAMED = 3


@dataclass(frozen=True)
class TensorHeader:
    """The type of a tensor, such as F32, and its shape."""

    dtype: str
    shape: tuple[int, ...]


Headers = Mapping[str, TensorHeader]


def headers_of(files: Iterable[Path]) -> Headers:
    """Return the headers of all tensors in ``files``.

    Raises:
        ForeignModelError: a file that is no safetensors, or whose header is larger than ``MAX_HEADER``.
    """
    return {name: header for file in files for name, header in _headers(file).items()}


def refuse_pointers(files: Iterable[Path]) -> None:
    """Raise where one of ``files`` is a pointer of Git LFS to a file that was not fetched."""
    for file in files:
        if file.stat().st_size <= _LARGEST_POINTER and file.read_bytes().startswith(_POINTER):
            raise ForeignModelError("pointer", file=file.name)


def refuse_quantized(configuration: Mapping[str, Any], headers: Headers) -> None:
    """Raise where weights are kept in fewer bits than half precision."""
    if any(part.get(key) for part in _parts(configuration) for key in _QUANTIZED_KEYS) or any(
        name.endswith(_QUANTIZED_NAMES) or header.dtype.startswith(_QUANTIZED_TYPES) or _is_of_whole(name, header)
        for name, header in headers.items()
    ):
        raise ForeignModelError("quantized")


def refuse_more_layers(configuration: Mapping[str, Any], headers: Headers) -> None:
    """Raise where ``configuration`` asks for far more layers than there are weights of.

    A few more are told once their tensors are known by name; very many take minutes to make.
    """
    most = 1 + max((number for _, number in filter(None, map(layer_of, headers))), default=-1)
    named = [
        value
        for part in _parts(configuration)
        for key, value in part.items()
        if _N_LAYERS.search(key) and isinstance(value, int)
    ]
    if named and min(named) < 0:
        raise ForeignModelError("less than no layer", given=min(named))
    if named and max(named) > most + _MOST_SHARED:
        raise ForeignModelError("more layers", given=max(named), most=most)


def layer_of(name: str) -> tuple[str, int] | None:
    """Return the stack that the tensor ``name`` belongs to and its layer there, from 0; None for one of no layer."""
    match = _FIRST_NUMBER.match(name)
    return (match[1], int(match[2])) if match else None


def listed(names: Iterable[str]) -> str:
    """Return the first of ``names``, as a sentence lists them."""
    first = sorted(names)[: _NAMED + 1]
    shown = (name[:80].replace("`", "'") for name in first[:_NAMED])
    return ", ".join([*shown, *(["…"] if len(first) > _NAMED else [])])


def _is_of_whole(name: str, header: TensorHeader) -> bool:
    return name.endswith("weight") and len(header.shape) > 1 and header.dtype.startswith(_WHOLE_NUMBERS)


def _headers(file: Path) -> dict[str, TensorHeader]:
    with file.open("rb") as content:
        size = int.from_bytes(content.read(8), "little")
        if size > min(MAX_HEADER, file.stat().st_size - 8):
            raise ForeignModelError("damaged weights", file=file.name)
        try:
            described = json.loads(content.read(size))
            ends = [int(tensor["data_offsets"][1]) for name, tensor in described.items() if name != "__metadata__"]
            if 8 + size + max(ends, default=0) > file.stat().st_size:
                raise ForeignModelError("damaged weights", file=file.name)
            return {
                name: TensorHeader(str(tensor["dtype"]), tuple(map(int, tensor["shape"])))
                for name, tensor in described.items()
                if name != "__metadata__"
            }
        except (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
            raise ForeignModelError("damaged weights", file=file.name) from error


def _parts(configuration: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return ``configuration`` and the configurations in it, of the text model of several for example."""
    return [configuration, *(part for part in configuration.values() if isinstance(part, dict))]
