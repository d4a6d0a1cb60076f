"""What the process that read a text hands back: a file, of which the numbers are mapped into memory and not copied.

The first line is JSON: what was recorded, or why not. Then come the maps of each block as float32, [layer, head, query,
key], each block from a multiple of ``_ALIGNMENT`` bytes on.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, BinaryIO

import numpy as np

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.recorded import Prediction, ReadTokens, RecordedBlock, Recording

_ALIGNMENT = 64


def write_refusal(error: ForeignModelError, out: BinaryIO) -> None:
    """Write why there is no recording."""
    out.write(json.dumps({"key": error.key, "values": error.values}).encode() + b"\n")


def write_readings(readings: Sequence[Recording], out: BinaryIO) -> None:
    """Write ``readings``, whose maps are tensors of PyTorch, one for each layer."""
    head = json.dumps({"readings": [_described(reading) for reading in readings]}).encode() + b"\n"
    out.write(head + bytes(-len(head) % _ALIGNMENT))
    for reading in readings:
        for block in reading.blocks:
            for layer in block.layers:
                out.write(layer.float().contiguous().numpy().data)
            out.write(bytes(-_n_bytes(_shape(block)) % _ALIGNMENT))


def read_answer(file: BinaryIO) -> tuple[Recording, ...]:
    """Return the readings in ``file``, with the maps of each block as one array; they outlive the file's name.

    Raises:
        ForeignModelError: the answer is a refusal, or is none.
    """
    file.seek(0)
    head = file.readline()
    try:
        found = json.loads(head)
        if "readings" in found:
            return tuple(_readings(found["readings"], file, -(-len(head) // _ALIGNMENT) * _ALIGNMENT))
    except ValueError as error:
        raise ForeignModelError("died") from error
    raise ForeignModelError(found["key"], **found["values"])


def _described(reading: Recording) -> dict[str, Any]:
    def side(tokens: ReadTokens) -> list[Any]:
        return [tokens.pieces, tokens.texts, tokens.special]

    blocks = [
        {"name": block.name, "shape": _shape(block), "queries": side(block.queries), "keys": side(block.keys)}
        for block in reading.blocks
    ]
    return {
        "blocks": blocks,
        "predictions": [asdict(one) for one in reading.predictions],
        "written": reading.written,
        "log_probability": reading.log_probability,
    }


def _readings(described: Sequence[Mapping[str, Any]], file: BinaryIO, offset: int) -> Iterator[Recording]:
    for reading in described:
        blocks = []
        for block in reading["blocks"]:
            maps = np.memmap(file, np.float32, mode="r", offset=offset, shape=tuple(block["shape"]))
            offset += -(-_n_bytes(block["shape"]) // _ALIGNMENT) * _ALIGNMENT
            sides = (ReadTokens(*map(tuple, block[side])) for side in ("queries", "keys"))
            blocks.append(RecordedBlock(block["name"], np.asarray(maps), *sides))
        predictions = tuple(
            Prediction(one["place"], tuple((text, share) for text, share in one["candidates"]))
            for one in reading["predictions"]
        )
        yield Recording(tuple(blocks), predictions, reading["written"], reading["log_probability"])


def _shape(block: RecordedBlock) -> list[int]:
    return [len(block.layers), *block.layers[0].shape[1:]]


def _n_bytes(shape: Sequence[int]) -> int:
    return int(np.prod(shape, dtype=np.int64)) * np.dtype(np.float32).itemsize
