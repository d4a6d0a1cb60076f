"""What the view of text and heads is sent, and what is taken of what it sends back."""

import re
from typing import Any

import pytest

from viz.base.words import page_text
from viz.pages.transformer_xl.components.memory_text import SCRIPT, Chosen, read_chosen

WORDS = page_text("pages/transformer_xl/memory_text")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"place": 5, "source": 2, "head": None}, Chosen(5, 2, None)),
        ({"place": 5.0, "source": 2, "head": [1, 3]}, Chosen(5, 2, (1, 3))),
    ],
)
def test_a_choice_is_read(given: dict[str, Any], expected: Chosen) -> None:
    assert read_chosen(given) == expected


@pytest.mark.parametrize(
    "given",
    [
        None,
        "place",
        {},
        {"place": -1, "source": 0, "head": None},
        {"place": 1.5, "source": 0, "head": None},
        {"place": True, "source": 0, "head": None},
        {"place": "1", "source": 0, "head": None},
        {"place": float("nan"), "source": 0, "head": None},
        {"place": float("inf"), "source": 0, "head": None},
        {"place": 1, "source": 0, "head": [1]},
        {"place": 1, "source": 0, "head": [1, 2, 3]},
        {"place": 1, "source": 0, "head": "12"},
    ],
)
def test_what_is_no_choice_changes_nothing(given: Any) -> None:
    assert read_chosen(given) is None


def test_every_word_of_the_view_is_there_and_none_is_left_over() -> None:
    asked = set(re.findall(r"""(?:say\(|words\[)\s*"([^"]+)\"""", SCRIPT)) | {"mode look", "mode change"}
    asked |= {"out of reach", "through memory"}  # chosen between
    assert asked == set(WORDS)
