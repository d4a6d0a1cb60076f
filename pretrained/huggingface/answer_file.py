"""What the process of a model hands back: a file, from which attention maps are mapped into memory and not copied.

The first line is JSON: what was found, or why nothing. After readings come the maps of each block as float32, [layer,
head, query, key], each block from a multiple of ``_ALIGNMENT`` bytes on; after positions, their arrays as NPZ.
"""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, BinaryIO, TypeVar

import numpy as np

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.foreign_positions import ForeignPositions
from pretrained.huggingface.recorded import Prediction, ReadTokens, RecordedBlock, TextRecording

Found = TypeVar("Found")
_ALIGNMENT = 64
_ARRAYS = ("values", "plain")


def write_refusal(error: ForeignModelError, out: BinaryIO) -> None:
    """Write why there is no recording."""
    out.write(json.dumps({"key": error.key, "values": error.values}).encode() + b"\n")


def write_readings(readings: Sequence[TextRecording], out: BinaryIO) -> None:
    """Write ``readings``, whose maps are tensors of PyTorch, one for each layer."""
    head = json.dumps({"readings": [_described(reading) for reading in readings]}).encode() + b"\n"
    out.write(head + bytes(-len(head) % _ALIGNMENT))
    for reading in readings:
        for block in reading.blocks:
            for layer in block.layers:
                out.write(layer.float().contiguous().numpy().data)
            out.write(bytes(-_n_bytes(_shape(block)) % _ALIGNMENT))


def read_readings(file: BinaryIO) -> tuple[TextRecording, ...]:
    """Return the readings in ``file``, with the maps of each block as one array; they outlive the file's name.

    Raises:
        ForeignModelError: the answer is a refusal, or is none.
    """
    head, answer = _read(file)
    try:
        return tuple(_readings(answer["readings"], file, -(-len(head) // _ALIGNMENT) * _ALIGNMENT))
    except (KeyError, ValueError) as error:
        raise ForeignModelError("died") from error


def write_positions(positions: Sequence[ForeignPositions], out: BinaryIO) -> None:
    """Write what is known of how a model encodes positions."""
    described = [
        {"kind": one.kind, "place": one.place, "settings": dict(one.settings), "scaling": one.scaling}
        for one in positions
    ]
    out.write(json.dumps({"positions": described}).encode() + b"\n")
    arrays = {f"{number} {name}": getattr(one, name) for number, one in enumerate(positions) for name in _ARRAYS}
    _write_arrays({name: array for name, array in arrays.items() if array is not None}, out)


def read_positions(file: BinaryIO) -> tuple[ForeignPositions, ...]:
    """Return what :func:`write_positions` wrote.

    Raises:
        ForeignModelError: the answer is a refusal, or is none.
    """
    _, answer = _read(file)
    try:
        with np.load(io.BytesIO(file.read()), allow_pickle=False) as arrays:
            return tuple(
                ForeignPositions(
                    **described, **{name: arrays[key] for name in _ARRAYS if (key := f"{number} {name}") in arrays}
                )
                for number, described in enumerate(answer["positions"])
            )
    except (KeyError, ValueError, OSError) as error:
        raise ForeignModelError("died") from error


def write_found(answer: Any, out: BinaryIO) -> None:
    """Write a dataclass of arrays, and of numbers and texts."""
    values = {field.name: getattr(answer, field.name) for field in fields(answer)}
    arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    out.write(json.dumps({"found": {name: values[name] for name in values.keys() - arrays}}).encode() + b"\n")
    _write_arrays(arrays, out)


def read_found(file: BinaryIO, kind: Callable[..., Found]) -> Found:
    """Return what :func:`write_found` wrote, as a ``kind``.

    Raises:
        ForeignModelError: the answer is a refusal, or is none.
    """
    _, head = _read(file)
    try:
        with np.load(io.BytesIO(file.read()), allow_pickle=False) as arrays:
            return kind(**{name: _frozen(value) for name, value in head["found"].items()}, **arrays)
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise ForeignModelError("died") from error


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _write_arrays(arrays: Mapping[str, np.ndarray], out: BinaryIO) -> None:
    # An archive counts from its own first byte.
    archive = io.BytesIO()
    np.savez(archive, allow_pickle=False, **arrays)
    out.write(archive.getvalue())


def _read(file: BinaryIO) -> tuple[bytes, Mapping[str, Any]]:
    """Return the first line, and what it says; a refusal is raised."""
    file.seek(0)
    head = file.readline()
    try:
        answer = json.loads(head)
    except ValueError as error:
        raise ForeignModelError("died") from error
    if "key" in answer:
        raise ForeignModelError(answer["key"], **answer["values"])
    return head, answer


def _described(reading: TextRecording) -> dict[str, Any]:
    def side(tokens: ReadTokens) -> list[Any]:
        return [tokens.pieces, tokens.texts, tokens.special]

    blocks = [
        {
            **{"name": block.name, "shape": _shape(block), "numbers": block.numbers},
            **{"queries": side(block.queries), "keys": side(block.keys)},
        }
        for block in reading.blocks
    ]
    return {
        "blocks": blocks,
        "predictions": [asdict(one) for one in reading.predictions],
        "written": reading.written,
        "log_probability": reading.log_probability,
        "has_sinks": reading.has_sinks,
    }


def _readings(described: Sequence[Mapping[str, Any]], file: BinaryIO, offset: int) -> Iterator[TextRecording]:
    for reading in described:
        blocks = []
        for block in reading["blocks"]:
            maps = np.memmap(file, np.float32, mode="r", offset=offset, shape=tuple(block["shape"]))
            offset += -(-_n_bytes(block["shape"]) // _ALIGNMENT) * _ALIGNMENT
            queries, keys = (ReadTokens(*map(tuple, block[side])) for side in ("queries", "keys"))
            numbers = tuple(block["numbers"])
            blocks.append(RecordedBlock(block["name"], np.asarray(maps), queries, keys, numbers))
        predictions = tuple(
            Prediction(one["place"], tuple((text, share) for text, share in one["candidates"]))
            for one in reading["predictions"]
        )
        yield TextRecording(
            tuple(blocks), predictions, reading["written"], reading["log_probability"], reading["has_sinks"]
        )


def _shape(block: RecordedBlock) -> list[int]:
    return [len(block.layers), *block.layers[0].shape[1:]]


def _n_bytes(shape: Sequence[int]) -> int:
    return int(np.prod(shape, dtype=np.int64)) * np.dtype(np.float32).itemsize
