"""Files that ship with the app, damaged or missing: the page that needs one says so, and no page ends for it.

What a page reads is found by running it. ``FAULTS=all pytest tests/app/test_faults.py`` damages each of these files in
every way; without it, one file of each kind in one way.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pandas as pd
import pytest
import streamlit as st

from tests.app.links import PAGES, opened
from viz.pages.transformer_xl import state as transformer_xl
from viz.shell.navigation import Page

# None: the file is missing.
FAULTS: dict[str, bytes | None] = {
    "cut off": b"{",
    "of another shape": b"{}",
    "no text": b"\xff\xfe\x00",
    "missing": None,
}
# By the page: what its link needs so that it shows what its files are for. Models of this task ship.
LINKS = {page: {"task": ["reverse"]} for page in ("cliff", "race", "edit_model", "checkpoints", "probes")}
DATA = {".json", ".md", ".parquet", ".txt"}


def forget() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()
    transformer_xl.sample_text.cache_clear()


def is_data(path: Path) -> bool:
    return path.suffix in DATA and "words" not in path.parts


@contextmanager
def reading(read: Any) -> Iterator[None]:
    """Have ``read`` asked for the bytes of every file of data, instead of the disk; its None is a missing file."""

    def content(path: Path) -> bytes:
        found: bytes | None = read(path)
        if found is None:
            raise FileNotFoundError(path)
        return found

    text, whole, is_file, parquet = Path.read_text, Path.read_bytes, Path.is_file, pd.read_parquet

    def read_text(path: Path, encoding: str | None = None, errors: str | None = None) -> str:
        return content(path).decode(encoding or "utf-8") if is_data(path) else text(path, encoding, errors)

    def read_parquet(path: Any, *rest: Any, **named: Any) -> pd.DataFrame:
        given = content(Path(path))
        if given != whole(Path(path)):
            raise ValueError("no Parquet file")
        return parquet(path, *rest, **named)

    with ExitStack() as stack:
        for owner, name, call in (
            (Path, "read_text", read_text),
            (Path, "read_bytes", lambda path: content(path) if is_data(path) else whole(path)),
            (Path, "is_file", lambda path: is_file(path) and not (is_data(path) and read(path) is None)),
            (pd, "read_parquet", read_parquet),
        ):
            stack.enter_context(patch.object(owner, name, call))
        yield


def files_of(page: Page) -> tuple[Path, ...]:
    """Return the files of data that ``page`` reads."""
    files: set[Path] = set()
    whole = Path.read_bytes

    def noted(path: Path) -> bytes | None:
        files.add(path)
        return whole(path) if os.path.isfile(path) else None  # noqa: PTH113 - is_file asks here

    forget()
    with reading(noted):
        assert not opened(page, LINKS.get(page.part.path.stem, {})).exception
    return tuple(sorted(path for path in files if os.path.isfile(path)))  # noqa: PTH113


def cases(page: Page) -> list[tuple[Path, str]]:
    files = files_of(page)
    if os.environ.get("FAULTS") == "all":
        return [(file, fault) for file in files for fault in FAULTS]
    of_a_kind = {file.name: file for file in files}
    ways = cycle(FAULTS)
    return [(file, next(ways)) for file in of_a_kind.values()]


@pytest.mark.usefixtures("no_temporary_folder")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.part.path.stem)
def test_a_page_lives_without_a_temporary_folder_and_on_damaged_files(page: Page) -> None:
    whole = Path.read_bytes
    ended = []
    for file, fault in cases(page):
        forget()
        with reading(lambda path, file=file, fault=fault: FAULTS[fault] if path == file else whole(path)):
            app = opened(page, LINKS.get(page.part.path.stem, {}))
        if app.exception:
            ended.append(f"{file.parent.name}/{file.name} {fault}")
    forget()
    assert ended == []
