"""Files that are written whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path

UNFINISHED = ".unfinished"
"""How the names of files and folders end that are being written."""

Write = Callable[[Path], object]
"""Writes a file to the path."""


def replace_file(path: Path, write: Write) -> None:
    """Write the file at ``path`` whole; an error leaves what was there.

    Processes that write one file at the same time do not meet: the last one's file stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        write(unfinished)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def remove_unfinished(folder: Path) -> None:
    """Remove what killed processes left half written in ``folder``, into which nothing else writes."""
    for path in folder.glob(f"*.[0-9]*{UNFINISHED}"):
        if path.is_file():
            path.unlink()


def write_text(text: str, path: Path) -> None:
    """Write ``text`` to ``path``, whole or not at all."""
    replace_file(path, lambda unfinished: unfinished.write_text(text, encoding="utf-8"))
