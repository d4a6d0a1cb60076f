"""A model loaded and run in a process of its own: it can be stopped, and its memory is given back.

The process is asked by one line of JSON, and answers with a file, see ``answer_file.py``.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from pretrained.huggingface.answer_file import read_answer, write_readings, write_refusal
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import checked_folder, load
from pretrained.huggingface.recorded import Head, Recording

_ROOT = Path(__file__).parents[2]
_TICK = 0.3
# The network is not asked, and the server keeps its other processors.
_SURROUNDINGS = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "OMP_NUM_THREADS": "1"}


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
        most_numbers: attention weights that one reading may have.
        second: the second text of a pair; None where the model reads one.
        off: heads that pass on nothing in a second reading; without any there is one.
    """

    root: str
    name: str
    text: str
    target: str | None
    most_bytes: int
    most_tokens: int
    most_numbers: int
    second: str | None = None
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
    # A file without a name: it is gone with the last map that is made of it.
    with TemporaryFile() as out:
        with subprocess.Popen(command, cwd=_ROOT, env=surroundings, stdin=pipe, stdout=out, stderr=unheard) as process:
            try:
                _wait(process, json.dumps(asdict(request)).encode(), most_seconds, tick)
            finally:
                process.kill()
        return read_answer(out)


def answer(line: bytes, out: BinaryIO) -> None:
    """Write to ``out`` what the process answers to the request ``line``."""
    asked = json.loads(line)
    request = Request(**asked | {"off": tuple(Head(**head) for head in asked["off"])})
    try:
        # Transformers takes seconds to import: a folder that is refused is refused at once.
        folder = checked_folder(Path(request.root), request.name, request.most_bytes)
        model, tokenizer = load(folder, request.most_bytes)
        from pretrained.huggingface.recording import record  # noqa: PLC0415

        readings = record(
            model,
            tokenizer,
            request.text,
            request.target,
            second=request.second,
            most_tokens=request.most_tokens,
            off=request.off,
        )
        n_numbers = max(sum(layer.numel() for block in one.blocks for layer in block.layers) for one in readings)
        if n_numbers > request.most_numbers:
            raise ForeignModelError("too many weights", given=n_numbers, most=request.most_numbers)
    except ForeignModelError as error:
        write_refusal(error, out)
    else:
        write_readings(readings, out)


def _wait(process: subprocess.Popen[bytes], asked: bytes, most_seconds: float, tick: Callable[[float], object]) -> None:
    begin = time.monotonic()
    given: bytes | None = asked
    while True:
        try:
            process.communicate(given, timeout=_TICK)
            return
        except subprocess.TimeoutExpired:
            # What was not taken yet is still given; it must not be named twice.
            given = None
            seconds = time.monotonic() - begin
            if seconds > most_seconds:
                raise ForeignModelError("too slow", seconds=f"{most_seconds:g}") from None
            tick(seconds)
