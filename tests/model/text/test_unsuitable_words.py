"""Sentences of suicide, violence, sex and insults are told from the others, by whole words and their beginnings."""

import pytest

from model.text.unsuitable_words import unsuitable_word


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        ("en", "I wish I were dead.", "dead"),
        ("en", "How many suicides are there?", "suicides"),
        ("en", "He was KILLED.", "KILLED"),
        ("de", "Tom hat mir mit Mord gedroht.", "Mord"),
        ("de", "Drei Arbeiter wurden getötet.", "getötet"),
        ("fr", "Il a été tué.", "tué"),
        ("ja", "彼は自殺した。", "自殺"),
    ],
)
def test_a_word_of_the_list_is_found(language: str, text: str, word: str) -> None:
    assert unsuitable_word(text, language) == word


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "She has the skill to repair a gunwale in Sussex."),
        ("en", "The deadline is tomorrow, the dye is dry, and the diet works."),
        ("de", "Das Gift der Schlange wirkt morgen in totaler Stille."),
        ("fr", "La violette et le violon sont dans la nuit, le tube est neuf."),
        ("ja", "私はこの問題をよく知っている。"),
    ],
)
def test_usual_words_that_look_alike_are_not(language: str, text: str) -> None:
    assert unsuitable_word(text, language) is None


def test_a_language_without_a_list_is_refused() -> None:
    with pytest.raises(ValueError, match="no list of unsuitable words for 'eo'"):
        unsuitable_word("Saluton", "eo")
