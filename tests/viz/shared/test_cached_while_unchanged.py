"""Results that are kept while their files stay as they are."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from viz.shared.shipped import cached_while_unchanged


@pytest.fixture(autouse=True)
def nothing_cached() -> Iterator[None]:
    yield
    st.cache_resource.clear()


def test_a_result_is_kept_until_its_file_changes(tmp_path: Path) -> None:
    file, calls = tmp_path / "weights", []

    @cached_while_unchanged(lambda _: [file], max_entries=4)
    def read(name: str) -> str:
        calls.append(name)
        return file.read_text(encoding="utf-8") if file.exists() else ""

    assert read("a") == ""
    file.write_text("first", encoding="utf-8")
    assert [read("a"), read("a")] == ["first", "first"]
    file.write_text("second one", encoding="utf-8")
    assert read("a") == "second one"
    assert calls == ["a", "a", "a"]
    read("b")
    assert calls[-1] == "b"


def test_a_key_tells_calls_apart_instead_of_the_arguments() -> None:
    @cached_while_unchanged(lambda *_: (), max_entries=4, key=lambda name, _: name)
    def made(name: str, model: object) -> tuple[str, object]:
        return name, model

    first, second = object(), object()
    assert made("a", first) == ("a", first)
    assert made("a", second) == ("a", first)
    assert made("b", second) == ("b", second)


def test_page_files_that_all_run_as_main_do_not_share_what_has_one_name() -> None:
    def function_of(file: str, result: str) -> Callable[[], str]:
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(compile(f"def read():\n    return {result!r}\n", file, "exec"), names)
        return cached_while_unchanged(lambda: (), max_entries=4)(names["read"])

    assert [function_of(file, file)() for file in ("first.py", "second.py")] == ["first.py", "second.py"]


def test_what_cannot_be_read_is_tried_again(tmp_path: Path) -> None:
    @cached_while_unchanged(lambda: [tmp_path / "none"], max_entries=1)
    def read() -> str:
        return (tmp_path / "none").read_text(encoding="utf-8")

    with pytest.raises(FileNotFoundError):
        read()
    (tmp_path / "none").write_text("now", encoding="utf-8")
    assert read() == "now"
