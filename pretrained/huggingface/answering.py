"""What the process of a model does: it loads the model once, and answers requests; ``apart.py`` asks them."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from pretrained.huggingface.answer_file import write_found, write_positions, write_readings, write_refusal
from pretrained.huggingface.apart import CALL
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import checked_folder, first_line
from pretrained.huggingface.foreign_positions import ForeignPositions
from pretrained.huggingface.inside import Inside
from pretrained.huggingface.positions import as_encoding, positions_of
from pretrained.huggingface.recorded import TextRecording
from pretrained.huggingface.requests import InsideRequest, ReadingRequest, request_of

MOST_ROWS = 1_024
"""Of a table of positions, that are handed back."""

Load = Callable[[Path, int], tuple[Any, Any]]


def load(folder: Path, most_bytes: int) -> tuple[Any, Any]:
    """Return what :func:`pretrained.huggingface.loading.load` returns; until then Transformers is not imported."""
    from pretrained.huggingface.loading import load as load_with_transformers  # noqa: PLC0415

    return load_with_transformers(folder, most_bytes)


def answer_all(calls: socket.socket, lease: float, load_model: Load = load) -> None:
    """Answer what comes by ``calls``, until nothing has come for ``lease`` seconds or nobody is at the other end."""
    calls.settimeout(lease)
    loaded = cache(load_model)
    with suppress(TimeoutError, ConnectionError):
        while True:
            call, files, *_ = socket.recv_fds(calls, 1, 1)
            if not call:
                return
            for number in files:
                with os.fdopen(number, "r+b") as file:
                    answer(file, loaded)
                calls.send(CALL)


def answer(file: BinaryIO, load_model: Load = load) -> None:
    """Write the answer to the request in ``file`` in its place."""
    request = request_of(file.readline())
    file.seek(0)
    file.truncate()
    try:
        # Transformers takes seconds to import: a folder that is refused is refused at once.
        folder = checked_folder(Path(request.root), request.name, request.most_bytes)
        loaded = load_model(folder, request.most_bytes)
        if isinstance(request, ReadingRequest):
            write_readings(_readings(request, *loaded), file)
        elif isinstance(request, InsideRequest):
            write_found(_inside(request, *loaded), file)
        else:
            write_positions(_positions(loaded[0]), file)
    except ForeignModelError as error:
        write_refusal(error, file)


def _inside(request: InsideRequest, model: Any, tokenizer: Any) -> Inside:
    from pretrained.huggingface.reading_inside import read_inside  # noqa: PLC0415

    asked = ("answers", "most_tokens", "second", "target")
    options: dict[str, Any] = {name: getattr(request, name) for name in asked}
    return read_inside(model, tokenizer, request.text, request.measure, **options)


def _positions(model: Any) -> tuple[ForeignPositions, ...]:
    try:
        positions = positions_of(model)
        for one in positions:
            as_encoding(one)
    except ForeignModelError:
        raise
    except Exception as error:
        # What others configured may be wrong in any way.
        raise ForeignModelError("does not load", reason=first_line(error)) from error
    # Of a table, its first rows are shown, and how many there are.
    return tuple(
        replace(one, values=one.values[:MOST_ROWS], settings={"rows": len(one.values)}) if one.kind == "table" else one
        for one in positions
    )


def _readings(request: ReadingRequest, model: Any, tokenizer: Any) -> tuple[TextRecording, ...]:
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
    return readings
