"""What source words are worth to the tokens of a shipped translator's translation."""

import csv
import io

import numpy as np
import pytest
import torch

from model.analysis.losses.log_probabilities import target_log_probabilities
from model.decoding.translator import Translation, Translator
from viz.pages.interventions.study import source_words
from viz.pages.interventions.study.source_words import (
    FROM_ATTENTION,
    MATTERS,
    METHODS,
    TRUTH,
    SourceWords,
    worth_as_csv,
)


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


def test_a_token_needs_most_the_word_without_which_it_is_least_probable(
    found: SourceWords, translator: Translator, translation: Translation
) -> None:
    source, target = translator.tokenizer.ids(translation.source.pieces), translation.hypotheses[0].tokens
    *words, _ = translation.source.words
    without = [
        target_log_probabilities(translator.model, torch.tensor([rest]), target)[0]
        for rest in (source[: word.start] + source[word.end :] for word in words)
    ]
    for step in (2, 9):
        worth = found.at(step)
        assert worth.first(TRUTH) == int(torch.stack(without)[:, step - 1].argmin())
        assert worth.agreement[TRUTH] == pytest.approx(1)
        assert all(-1 <= worth.agreement[method] <= 1 for method in METHODS)
        assert sum(worth.values["integrated"]) == pytest.approx(worth.change, rel=0.011)


def test_it_opens_where_attention_points_past_what_matters(found: SourceWords) -> None:
    worth = found.at(found.opening_step)
    assert worth.needs_a_word
    for method in FROM_ATTENTION:
        assert found.n_pointing(method) <= found.n_pointing(TRUTH) == found.n_needing <= len(found.written)
    assert {*found.agreements()} == {*FROM_ATTENTION}


@pytest.fixture
def by_hand(translator: Translator, monkeypatch: pytest.MonkeyPatch) -> SourceWords:
    """Two words and ⟨end⟩ of which attention prefers the second, and their real importance at four steps."""
    translation = translator.translate("Old houses", prefix="Alte Häuser sind schön")
    n_steps, (word, other, end) = len(translation.hypotheses[0].tokens), translation.source.words
    attention = np.zeros((n_steps, end.end))
    attention[:, [word.start, other.start, end.start]] = 0.2, 0.3, 0.5
    truth = torch.zeros(3, n_steps)
    truth[:, :4] = torch.tensor([[0, MATTERS / 2, 2, 1], [5, -5, 0.5, 0.8], [9, 9, 9, 9]])
    monkeypatch.setattr(source_words, "leave_one_out", lambda *_: truth)
    monkeypatch.setattr(source_words, "_attention", lambda *_: dict.fromkeys(FROM_ATTENTION, attention))
    return SourceWords(translator, translation)


def test_of_numbers_by_hand_it_opens_on_the_largest_miss_and_counts_the_hits(by_hand: SourceWords) -> None:
    assert by_hand.opening_step == 3
    assert by_hand.n_needing == by_hand.n_pointing(TRUTH) == 3
    assert by_hand.n_pointing("attention") == 1
    assert [by_hand.at(step).needs_a_word for step in (1, 2, 3, 4)] == [True, False, True, True]


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
