"""A model loaded and run in a process of its own: it can be stopped, and its memory is given back.

The process is asked by one line of JSON, and answers with an archive of NumPy, or with JSON where it refuses.
"""

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import checked_folder, load
from pretrained.huggingface.recorded import ReadTokens, RecordedBlock

_ROOT = Path(__file__).parents[2]
_TICK = 0.3
# The network is not asked, and the server keeps its other processors.
_SURROUNDINGS = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "OMP_NUM_THREADS": "1"}
_ABOUT = "blocks"


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
    """

    root: str
    name: str
    text: str
    target: str | None
    most_bytes: int
    most_tokens: int
    most_numbers: int


def record_apart(
    request: Request, *, most_seconds: float, tick: Callable[[float], object] = lambda _: None
) -> tuple[RecordedBlock, ...]:
    """Return the attention of what ``request`` asks for.

    Args:
        request: which model reads what.
        most_seconds: until it is stopped.
        tick: called some times a second with the seconds so far; where it raises, the process is stopped.

    Raises:
        ForeignModelError: what :func:`checked_folder`, :func:`load` and ``record_attention`` raise, a process that took
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
    request = Request(**json.loads(line))
    try:
        # Transformers takes seconds to import: a folder that is refused is refused at once.
        folder = checked_folder(Path(request.root), request.name, request.most_bytes)
        model, tokenizer = load(folder, request.most_bytes)
        from pretrained.huggingface.recording import record_attention  # noqa: PLC0415

        blocks = record_attention(
            model, tokenizer, request.text, request.target or None, most_tokens=request.most_tokens
        )
        n_numbers = sum(layer.numel() for block in blocks for layer in block.layers)
        if n_numbers > request.most_numbers:
            raise ForeignModelError("too many weights", given=n_numbers, most=request.most_numbers)
    except ForeignModelError as error:
        return json.dumps({"key": error.key, "values": error.values}).encode()
    return _written(blocks)


def read_answer(content: bytes) -> tuple[RecordedBlock, ...]:
    """Return the blocks in an answer; raises ForeignModelError where it is a refusal, or none."""
    if not content:
        raise ForeignModelError("died")
    if content.startswith(b"{"):
        refused = json.loads(content)
        raise ForeignModelError(refused["key"], **refused["values"])
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        described = json.loads(str(archive[_ABOUT]))
        return tuple(
            RecordedBlock(
                block["name"],
                tuple(archive[f"{block['name']} {layer}"] for layer in range(block["layers"])),
                *(ReadTokens(*map(tuple, block[side])) for side in ("queries", "keys")),
            )
            for block in described
        )


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


def _written(blocks: Sequence[RecordedBlock]) -> bytes:
    def side(tokens: ReadTokens) -> list[Any]:
        return [tokens.pieces, tokens.texts, tokens.special]

    described = [
        {
            "name": block.name,
            "layers": len(block.layers),
            "queries": side(block.queries),
            "keys": side(block.keys),
        }
        for block in blocks
    ]
    arrays = {
        f"{block.name} {number}": layer.float().numpy() for block in blocks for number, layer in enumerate(block.layers)
    }
    archive = io.BytesIO()
    np.savez(archive, allow_pickle=False, **{_ABOUT: np.array(json.dumps(described))}, **arrays)
    return archive.getvalue()
