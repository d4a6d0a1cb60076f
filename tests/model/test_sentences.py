"""Sentences are cut where they end, and nothing of the text is lost."""

import pytest

from model.sentences import split_sentences

WHOLE = [
    "The dog sleeps.",
    "Mr. Smith met Dr. Jones at 5 p.m. near St. Paul.",
    "J. S. Bach was born in 1685.",
    "It costs 3.50 euros, i.e. Not much.",
    "He said: yes! and left.",
    "no capital here. and here",
    "Wait... what?",
]


@pytest.mark.parametrize("text", WHOLE)
def test_one_sentence_stays_whole(text: str) -> None:
    assert split_sentences(text) == (text,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I am. You are! Is he?", ["I am.", "You are!", "Is he?"]),
        ('"Stop!" He ran. (She did not.) The end', ['"Stop!"', "He ran.", "(She did not.)", "The end"]),
        ("It was I. Nobody else.", ["It was I.", "Nobody else."]),
        ("One… Two.", ["One…", "Two."]),
        ("一つ。二つ\uff01「三つ\uff1f」四つ", ["一つ。", "二つ\uff01", "「三つ\uff1f」", "四つ"]),
        ("a title\nthe text", ["a title", "the text"]),
        ("Es regnet. Über uns.", ["Es regnet.", "Über uns."]),
        ("It ended in 1999. 2000 began.", ["It ended in 1999.", "2000 began."]),
    ],
)
def test_several_are_cut(text: str, expected: list[str]) -> None:
    assert list(split_sentences(text)) == expected


@pytest.mark.parametrize("text", ["", "  \n ", "\t"])
def test_nothing_has_none(text: str) -> None:
    assert split_sentences(text) == ()


@pytest.mark.parametrize(
    "text", [*WHOLE, "I am. " * 150, "... !!! ???", "A.B.C. D", "。。。", "x" * 2000, "🙂. 🙂. A. B."]
)
def test_nothing_but_white_space_is_lost(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())
