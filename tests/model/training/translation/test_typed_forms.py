"""What people type and a corpus has hardly any of: capitals, long sentences, words and short phrases."""

import random
from collections.abc import Callable

import pytest
from nltk.translate import AlignedSent
from nltk.translate.ibm1 import IBMModel1

from model.data.loading import Pair
from model.training.translation.capitals import write_capitals
from model.training.translation.initials import Initials
from model.training.translation.join_sentences import JoinedSentences
from model.training.translation.phrases import Phrases, phrases_of
from model.training.translation.trainer import up_to_words
from model.training.translation.word_alignment import align

NOUNS = {"dog": "Hund", "cat": "Kater", "horse": "Esel", "bird": "Vogel", "boy": "Junge"}
VERBS = {"sees": "sieht", "hears": "hört", "likes": "mag", "calls": "ruft"}
SENTENCES = [
    Pair(f"The {noun} {verb} the {other}.", f"Der {NOUNS[noun]} {VERBS[verb]} den {NOUNS[other]}n.")
    for noun in NOUNS
    for verb in VERBS
    for other in NOUNS
    if noun != other
]


def test_long_sentences_are_left_out() -> None:
    assert {len(pair.source.split()) for pair in SENTENCES} == {5}
    assert up_to_words(tuple(SENTENCES), 5) == tuple(SENTENCES) == up_to_words(tuple(SENTENCES), 0)
    assert not up_to_words(tuple(SENTENCES), 4)


def test_capitals_change_a_share_of_the_pairs_on_both_sides() -> None:
    written = write_capitals(SENTENCES, 0.5, seed=1)
    changed = [pair for pair, before in zip(written, SENTENCES, strict=True) if pair != before]
    assert 0.3 < len(changed) / len(SENTENCES) < 0.7
    assert all(pair.source.isupper() and pair.target.isupper() for pair in changed)


def test_a_first_word_loses_its_capital_where_it_has_none_inside_a_sentence() -> None:
    initials = Initials(["We saw the dog.", "Then Tom saw the dog.", "TOM saw it."])
    assert initials.lower("The dog sleeps.") == "the dog sleeps."
    assert initials.lower("Tom sleeps.") == "Tom sleeps."
    assert initials.lower("TOM SLEEPS.") == "TOM SLEEPS."


def test_joined_sentences_hold_the_same_sentences_on_both_sides() -> None:
    joined = JoinedSentences(SENTENCES, 0.5, ("English", "German")).made(seed=1)
    assert len(joined) == round(0.5 * len(SENTENCES))
    for pair in joined:
        nouns = [word.strip(".,;") for word in pair.source.split() if word.strip(".,;") in NOUNS]
        translated = [word.strip(".,;").removesuffix("n") for word in pair.target.split()]
        assert len(nouns) >= 4
        assert [NOUNS[noun] for noun in nouns] == [word for word in translated if word in NOUNS.values()]
        assert pair.source.endswith(".")
        assert pair.source.count(".") == pair.target.count(".") == 1


def test_sentences_without_a_full_stop_are_not_joined() -> None:
    assert JoinedSentences([Pair("Who?", "Wer?")], 1, ("English", "German")).made(seed=1) == []


def test_phrases_are_translated_as_in_the_sentences() -> None:
    phrases = {pair.source: pair.target for pair in phrases_of(SENTENCES)}
    assert phrases["sees"] == "sieht"
    assert phrases["dog"] in {"Hund", "Hundn"}
    made = Phrases(SENTENCES, 2).made(seed=1)
    assert {len(pair.source.split()) > 1 for pair in made} == {True, False}
    assert all(pair.source[0].isupper() <= pair.target[0].isupper() for pair in made)


@pytest.mark.parametrize(
    "make", [Phrases(SENTENCES, 1).made, JoinedSentences(SENTENCES, 1, ("English", "German")).made]
)
def test_the_seed_alone_decides(make: Callable[[int], list[Pair]]) -> None:
    assert make(3) == make(3)
    assert make(3) != make(4)


def test_words_are_linked_as_another_implementation_of_the_model_links_them() -> None:
    rng = random.Random(1)
    words = {f"w{number}": f"t{number}" for number in range(12)}
    source = [rng.sample(sorted(words), 5) for _ in range(60)]
    target = [rng.sample([words[word] for word in sentence], 5) for sentence in source]
    there = [AlignedSent(to, of) for of, to in zip(source, target, strict=True)]
    IBMModel1(there, 5)
    for links, pair in zip(align(source, target), there, strict=True):
        assert links == sorted((i, j) for j, i in pair.alignment if i is not None)
