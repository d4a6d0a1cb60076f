"""Words as the Penn Treebank cuts them: NLTK's, but for hyphens."""

import pytest
from nltk.tokenize import NLTKWordTokenizer

from model.text.penn_words import penn_words


@pytest.mark.parametrize(
    "text",
    [
        "I saw the man with the telescope.",
        "The dog doesn't bark, and it can't bite!",
        "She's what we'll call John's boss; they've gone (again).",
        "He paid $5.20 for 1,000 of them, I'd say 50%.",
        "They cannot come... or can they?",
        "Is that so?",
    ],
)
def test_words_are_those_of_nltk(text: str) -> None:
    assert penn_words(text) == NLTKWordTokenizer().tokenize(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a well-known U.S. actor", ["a", "well", "-", "known", "U.S.", "actor"]),
        ("Mr. O'Neill's “idea”", ["Mr.", "O'Neill", "'s", "“", "idea", "”"]),
        ("It\u2019s 7:45 — or/and not", ["It", "\u2019s", "7:45", "—", "or", "/", "and", "not"]),
        ("😀 😀!", ["😀", "😀", "!"]),
        ("", []),
        ("...", ["..."]),
        ("'", ["'"]),
    ],
)
def test_marks_are_words_of_their_own(text: str, words: list[str]) -> None:
    assert penn_words(text) == words
