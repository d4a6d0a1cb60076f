"""A file is written whole or not at all, whoever else writes it."""

import os
from pathlib import Path

import pytest

from model.checkpoint import load_state, save_state
from model.files import replace_file, write_text


def test_processes_that_write_one_file_at_the_same_time_do_not_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.txt"

    def overtaken(unfinished: Path) -> None:
        unfinished.write_text("first")
        with monkeypatch.context() as other_process:
            other_process.setattr(os, "getpid", lambda: -1)
            write_text("second", path)
        assert path.read_text() == "second"

    replace_file(path, overtaken)
    assert path.read_text() == "first"
    assert [*tmp_path.iterdir()] == [path]


def test_a_state_that_cannot_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    save_state({"step": 1}, path)
    first = path.read_bytes()
    with pytest.raises(AttributeError):
        save_state({"step": lambda: 2}, path)
    assert load_state(path) == {"step": 1}
    assert [*tmp_path.iterdir()] == [path]
    save_state({"step": 1}, path)
    assert path.read_bytes() == first
