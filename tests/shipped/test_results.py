"""The page of results says what its claims say of what ships, and names files that are there."""

from pathlib import Path

import pytest

from benchmarks.results import DOCUMENT, RESULTS, Result, document

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_command_writes() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.title)
def test_a_result_holds_and_names_its_files(result: Result) -> None:
    assert all((ROOT / name).is_file() for name in (*result.data, result.source))
    assert next(iter(result.claims.values()))().holds
    assert "glossary#" not in result.sentences()
