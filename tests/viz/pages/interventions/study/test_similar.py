"""Sentences that differ in one word, made from the embedding of a shipped translator."""

from difflib import SequenceMatcher
from itertools import islice

import pytest

from pretrained import load_translator
from viz.pages.interventions.study.patched import PairError, PatchedPair
from viz.pages.interventions.study.similar import similar_sentences


@pytest.mark.parametrize("text", ["The old woman did not open the door.", "Where is the station?"])
def test_one_word_is_another_and_the_first_few_can_be_patched(text: str) -> None:
    translator = load_translator("translation-en-de")
    others = [*islice(similar_sentences(translator, text), 6)]
    for other in others:
        changed = [one for one in SequenceMatcher(None, text.split(), other.split()).get_opcodes() if one[0] != "equal"]
        assert [(kind, last - first) for kind, first, last, _, _ in changed] == [("replace", 1)]
    assert any(is_pair(text, other) for other in others)


@pytest.mark.parametrize(
    ("model", "text"), [("translation-ja-en", "彼は学生です。"), ("translation-en-de", "Hi, it is me.")]
)
def test_a_text_without_whole_words_has_one_of_which_a_piece_is_exchanged(model: str, text: str) -> None:
    translator = load_translator(model)
    others = [*islice(similar_sentences(translator, text), 12)]
    assert any(is_pair(text, other, model) for other in others)


def is_pair(text: str, other: str, model: str = "translation-en-de") -> bool:
    translator = load_translator(model)
    try:
        PatchedPair(translator, translator.translate(text), translator.translate(other))
    except PairError:
        return False
    return True


@pytest.mark.parametrize("text", ["", "?!", "12 3456", "彼は学生です。"])
def test_a_text_without_whole_words_has_none(text: str) -> None:
    assert [*similar_sentences(load_translator("translation-en-de"), text)] == []
