"""Words that stand twice in a row."""

import pytest

from model.text.repetition import Repetition, repetitions


@pytest.mark.parametrize(
    ("words", "longest"),
    [
        ("a man and a man and a dog", Repetition(0, 3, 2)),
        ("a a dog", None),
        ("dog dog dog", Repetition(0, 1, 3)),
        ("a man sees a man", None),
        ("", None),
    ],
)
def test_the_longest_block_that_stands_twice_comes_first(words: str, longest: Repetition | None) -> None:
    assert next(repetitions(words.split()), None) == longest
