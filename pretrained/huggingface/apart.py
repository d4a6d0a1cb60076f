"""A model loaded and run in a process of its own: it can be stopped, and its memory is given back.

The process is asked by one line of JSON, and answers with an archive of NumPy, or with JSON where it refuses.
"""

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import checked_folder, load
from pretrained.huggingface.recorded import Head, Prediction, ReadTokens, RecordedBlock, Recording

_ROOT = Path(__file__).parents[2]
_TICK = 0.3
# The network is not asked, and the server keeps its other processors.
_SURROUNDINGS = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "OMP_NUM_THREADS": "1"}
_ABOUT = "readings"


@dataclass(frozen=True)
class Request:
    """What is read by which model, and how much of it is allowed.

    Attributes:
        root: the folder that is allowed.
        name: of the model's folder, a path from there.
        text: what the model reads.
        target: what an encoder–decoder is made to write; None lets it write by itself.
        most_bytes: that the weights may have.
        most_tokens: that the text may have.
        most_numbers: attention weights that may come back.
        off: heads that pass on nothing in a second reading; without any there is one.
    """

    root: str
    name: str
    text: str
    target: str | None
    most_bytes: int
    most_tokens: int
    most_numbers: int
    off: tuple[Head, ...] = ()


def record_apart(
    request: Request, *, most_seconds: float, tick: Callable[[float], object] = lambda _: None
) -> tuple[Recording, ...]:
    """Return what ``request`` asks for: the reading of the whole model, and one without the heads that are off.

    Args:
        request: which model reads what.
        most_seconds: until it is stopped.
        tick: called some times a second with the seconds so far; where it raises, the process is stopped.

    Raises:
        ForeignModelError: what :func:`checked_folder`, :func:`load` and ``record`` raise, a process that took
            too long, or one that died.
    """
    command = [sys.executable, "-m", "pretrained.huggingface"]
    pipe, unheard = subprocess.PIPE, subprocess.DEVNULL
    surroundings = os.environ | _SURROUNDINGS
    with subprocess.Popen(command, cwd=_ROOT, env=surroundings, stdin=pipe, stdout=pipe, stderr=unheard) as process:
        try:
            return read_answer(_communicate(process, json.dumps(asdict(request)).encode(), most_seconds, tick))
        finally:
            process.kill()


def answer(line: bytes) -> bytes:
    """Return what the process answers to the request ``line``."""
    asked = json.loads(line)
    request = Request(**asked | {"off": tuple(Head(**head) for head in asked["off"])})
    try:
        # Transformers takes seconds to import: a folder that is refused is refused at once.
        folder = checked_folder(Path(request.root), request.name, request.most_bytes)
        model, tokenizer = load(folder, request.most_bytes)
        from pretrained.huggingface.recording import record  # noqa: PLC0415

        most = request.most_tokens
        readings = record(model, tokenizer, request.text, request.target or None, most_tokens=most, off=request.off)
        n_numbers = sum(layer.numel() for one in readings for block in one.blocks for layer in block.layers)
        if n_numbers > request.most_numbers:
            raise ForeignModelError("too many weights", given=n_numbers, most=request.most_numbers)
    except ForeignModelError as error:
        return json.dumps({"key": error.key, "values": error.values}).encode()
    return _written(readings)


def read_answer(content: bytes) -> tuple[Recording, ...]:
    """Return the readings in an answer; raises ForeignModelError where it is a refusal, or none."""
    if not content:
        raise ForeignModelError("died")
    if content.startswith(b"{"):
        refused = json.loads(content)
        raise ForeignModelError(refused["key"], **refused["values"])
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        described = json.loads(str(archive[_ABOUT]))
        return tuple(_reading(number, one, archive) for number, one in enumerate(described))


def _reading(number: int, described: Mapping[str, Any], archive: Mapping[str, np.ndarray]) -> Recording:
    blocks = tuple(
        RecordedBlock(
            block["name"],
            tuple(archive[_array_name(number, block["name"], layer)] for layer in range(block["layers"])),
            *(ReadTokens(*map(tuple, block[side])) for side in ("queries", "keys")),
        )
        for block in described["blocks"]
    )
    predictions = tuple(
        Prediction(one["place"], tuple((text, share) for text, share in one["candidates"]))
        for one in described["predictions"]
    )
    return Recording(blocks, predictions, described["written"], described["log_probability"])


def _communicate(
    process: subprocess.Popen[bytes], asked: bytes, most_seconds: float, tick: Callable[[float], object]
) -> bytes:
    begin = time.monotonic()
    given: bytes | None = asked
    while True:
        try:
            return process.communicate(given, timeout=_TICK)[0]
        except subprocess.TimeoutExpired:
            # What was not taken yet is still given; it must not be named twice.
            given = None
            seconds = time.monotonic() - begin
            if seconds > most_seconds:
                raise ForeignModelError("too slow", seconds=f"{most_seconds:g}") from None
            tick(seconds)


def _written(readings: Sequence[Recording]) -> bytes:
    def side(tokens: ReadTokens) -> list[Any]:
        return [tokens.pieces, tokens.texts, tokens.special]

    described = [
        {
            "blocks": [
                {
                    "name": block.name,
                    "layers": len(block.layers),
                    "queries": side(block.queries),
                    "keys": side(block.keys),
                }
                for block in reading.blocks
            ],
            "predictions": [asdict(one) for one in reading.predictions],
            "written": reading.written,
            "log_probability": reading.log_probability,
        }
        for reading in readings
    ]
    arrays = {
        _array_name(number, block.name, layer): weights.float().numpy()
        for number, reading in enumerate(readings)
        for block in reading.blocks
        for layer, weights in enumerate(block.layers)
    }
    archive = io.BytesIO()
    np.savez(archive, allow_pickle=False, **{_ABOUT: np.array(json.dumps(described))}, **arrays)
    return archive.getvalue()


def _array_name(reading: int, block: str, layer: int) -> str:
    return f"{reading} {block} {layer}"
