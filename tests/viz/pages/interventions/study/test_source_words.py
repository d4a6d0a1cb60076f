"""What source words are worth to the tokens of a shipped translator's translation."""

import csv
import io

import numpy as np
import pytest

from model.decoding.translator import Translation, Translator
from pretrained import load_translator
from viz.pages.interventions.study.source_words import METHODS, TRUTH, SourceWords, worth_as_csv

TEXT = "My brother has never read the book that I gave him."


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load_translator("translation-en-de", "cpu")


@pytest.fixture(scope="module")
def translation(translator: Translator) -> Translation:
    return translator.translate(TEXT)


@pytest.fixture(scope="module")
def found(translator: Translator, translation: Translation) -> SourceWords:
    return SourceWords(translator, translation)


def test_attention_is_summed_over_the_tokens_of_a_word_and_all_of_it_is_there(
    found: SourceWords, translation: Translation
) -> None:
    worth = found.at(1)
    assert len(worth.words) == len(translation.source.words)
    assert sum(worth.values["attention"]) == pytest.approx(1, abs=1e-4)
    weights = np.mean([translation.patterns[f"decoder.{layer}.cross_attention.pattern"][:, 0] for layer in range(3)], 0)
    by_hand = [weights.mean(0)[word.start : word.end].sum() for word in translation.source.words]
    np.testing.assert_allclose(worth.values["attention"], by_hand, atol=1e-5)


def test_a_token_needs_most_the_word_without_which_it_is_least_probable(found: SourceWords) -> None:
    for step in (2, 9):
        worth = found.at(step)
        assert worth.words[worth.first(TRUTH)] in ("brother", "book")
        assert worth.agreement[TRUTH] == pytest.approx(1)
        assert all(-1 <= worth.agreement[method] <= 1 for method in METHODS)
        assert sum(worth.values["integrated"]) == pytest.approx(worth.change, rel=0.011)


def test_it_opens_where_attention_points_past_what_matters(found: SourceWords) -> None:
    worth = found.at(found.opening_step)
    assert worth.first("attention") != worth.first(TRUTH)
    assert found.n_pointing("attention") < found.n_pointing(TRUTH) == found.n_needing <= len(found.written)
    assert {*found.agreements()} == {"attention", "norms", "rollout"}


def test_a_token_whose_probability_no_word_changes_needs_none(translator: Translator) -> None:
    found = SourceWords(translator, translator.translate("She sold the old house."))
    assert not found.at(len(found.written)).needs_a_word
    assert found.at(1).needs_a_word
    assert found.at(found.opening_step).needs_a_word
    assert found.n_needing < len(found.written)


def test_a_text_of_one_word_has_no_order(translator: Translator) -> None:
    found = SourceWords(translator, translator.translate("Dog"))
    assert np.isnan(found.at(1).agreement["attention"])
    assert np.isnan(found.agreements()["attention"])


def test_the_table_has_a_column_for_each_method(found: SourceWords) -> None:
    worth = found.at(3)
    headings, *rows = csv.reader(io.StringIO(worth_as_csv(worth)))
    assert headings == ["source word", *METHODS]
    assert [row[0] for row in rows] == list(worth.words)
    assert [float(row[-1]) for row in rows] == pytest.approx(worth.values[TRUTH].tolist(), rel=1e-4)
