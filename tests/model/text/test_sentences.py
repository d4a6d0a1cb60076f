"""Sentences are cut where they end, and nothing of the text is lost."""

import time
from pathlib import Path

import pytest

from model.text.sentences import cut_to_length, split_sentences

WHOLE = [
    "The dog sleeps.",
    "Mr. Smith met Dr. Jones at 5 p.m. near St. Paul.",
    "J. S. Bach was born in 1685.",
    "It costs 3.50 euros, i.e. Not much.",
    "He said: yes! and left.",
    "no capital here. and here",
    "Wait... what?",
    "Hello.How are you?I am fine.",
    "Visit www.Example.com or read File.Name?Id=3.",
    "Am 3. Mai kam Hr. Braun, z. B. Mit dem Zug, in den 2. Stock.",
    "Im 19. Jahrhundert lebte Mme. Curie ca. 30 Jahre in Paris.",
]
CASES = Path(__file__).with_name("sentence_cases")


@pytest.mark.parametrize("path", sorted(CASES.iterdir()), ids=lambda path: path.stem)
def test_quotes_abbreviations_numbers_and_pictures_of_each_language_are_understood(path: Path) -> None:
    """A line of a file is a text, with a bar where a sentence ends."""
    blank = "" if path.stem == "ja" else " "
    lines = [line.split("|") for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) >= 60
    assert [found for line in lines if (found := list(split_sentences(blank.join(line)))) != line] == []


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
        ("Er ist 30. Sie ist 20. Maria schläft.", ["Er ist 30.", "Sie ist 20.", "Maria schläft."]),
        ("Vas-y. Je viens.", ["Vas-y.", "Je viens."]),
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


@pytest.mark.parametrize(
    ("text", "longest", "expected"),
    [
        ("short enough", 20, ["short enough"]),
        ("one two three, four five", 20, ["one two three,", "four five"]),
        ("a, three four five six", 16, ["a, three four", "five six"]),
        ("一二三、四五六七", 6, ["一二三、", "四五六七"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("  ", 4, []),
    ],
)
def test_what_is_too_long_is_cut_at_the_best_place(text: str, longest: int, expected: list[str]) -> None:
    assert list(cut_to_length(text, len, longest)) == expected


@pytest.mark.parametrize("text", ["x" * 300, "aß, \n🙂 " * 40, "ﷺ" * 20, "word " * 90])
def test_every_part_fits_and_nothing_is_lost(text: str) -> None:
    parts = cut_to_length(text, lambda part: len(part.encode()), 25)
    assert all(0 < len(part.encode()) <= 25 for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_a_character_that_is_too_long_is_left_out() -> None:
    assert cut_to_length("a🙂b", lambda part: len(part.encode()), 3) == ("a", "b")


def test_a_long_run_of_marks_is_read_once() -> None:
    begun = time.process_time()
    split_sentences("!" * 20_000 + "x")
    assert time.process_time() - begun < 1
