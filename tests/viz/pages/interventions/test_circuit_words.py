"""Sentences about a circuit, of numbers set by hand."""

from types import SimpleNamespace
from typing import Any

import pytest

from viz.pages.interventions.circuit_words import seen_in
from viz.pages.interventions.study.circuit.explained import SIZES, CircuitCurve, Curves, ProbableToken

EXPLAINED: Any = SimpleNamespace(token="das", foil="dass", effects=SimpleNamespace(total=4.0))


@pytest.mark.parametrize(
    ("value", "word", "expected"),
    [
        (3.0, "das", "75% of it"),
        (5.0, "das", "125% of it, an overshoot"),
        (3.0, "dem", "75% of it"),
        (-1.0, "dem", "it speaks for “dass”"),
    ],
)
def test_it_is_said_first_how_much_the_parts_carry_and_whether_that_is_enough(
    value: float, word: str, expected: str
) -> None:
    place, n = SIZES.index(30), len(SIZES)
    values, words = [0.0] * n, [(ProbableToken("any", 1.0),)] * n
    values[place], words[place] = value, (ProbableToken(word, 0.5),)
    stays = [(token.label == "das") for (token,) in words]
    only = CircuitCurve(tuple(values), tuple(stays), tuple(words))
    carried, _ = seen_in(EXPLAINED, 30, Curves(only, only, tuple(values)))
    assert f"({expected})" in carried
    assert ("are enough to write “das” rather than “dass”" in carried) == (word == "das")
    assert ("the model would write “dem”" in carried) == (word == "dem")
