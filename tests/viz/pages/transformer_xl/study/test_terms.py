"""The four terms at one place of a text, gains, averages over distance, and what each term is worth."""

import math

import numpy as np
import pytest
import torch

from model.analysis.losses.character_losses import segment_losses
from model.architectures.decoder_only import DecoderOnly
from model.attention import SegmentSpec
from model.hooks import intervene, record
from model.positional import PositionalConfig
from tests.fixtures.language_model_run import random_text, strong_model
from viz.pages.transformer_xl.study.reading import memory_before, segment_row
from viz.pages.transformer_xl.study.segments import n_segments
from viz.pages.transformer_xl.study.terms import (
    TERMS,
    TermGains,
    ablated_terms,
    by_distance,
    distance_means,
    has_terms,
    segment_terms,
)

N_LAYERS, N_HEADS = 3, 2
RECURRENCE = SegmentSpec(segment_length=4, mem_len=8)
LAYER = 1
AS_TRAINED = TermGains()


@pytest.fixture(scope="module")
def model() -> DecoderOnly:
    return strong_model(N_LAYERS, with_vectors=True)


def found(model: DecoderOnly, gains: TermGains = AS_TRAINED, layer: int = LAYER, segment: int = 5):
    rows = random_text()
    memory = memory_before(model, rows, segment, RECURRENCE)
    return segment_terms(model, segment_row(rows, segment, RECURRENCE), memory, gains, layer)


def test_four_terms_sum_to_the_recorded_scores(model: DecoderOnly) -> None:
    one = found(model)
    assert one.terms.shape == (4, N_HEADS, 4, 12)
    assert one.n_remembered == 8
    np.testing.assert_allclose(one.terms.sum(0), one.scores, rtol=1e-4, atol=1e-5)
    assert one.off < 1e-5
    allowed = np.arange(12)[None, :] <= 8 + np.arange(4)[:, None]
    assert (np.isfinite(one.scores) == allowed).all()
    assert (np.isfinite(one.terms) == allowed).all()


def test_losses_are_those_of_the_model_and_the_memory_stays(model: DecoderOnly) -> None:
    rows = random_text()
    whole = segment_losses(model, rows, 4, model.new_memory(8))[0]
    np.testing.assert_allclose(found(model).losses, whole[20:24].numpy(), rtol=1e-4, atol=1e-5)
    assert found(model).bits == pytest.approx(float(whole[20:24].mean()) / math.log(2), rel=1e-4)
    memory = memory_before(model, rows, 5, RECURRENCE)
    before = memory.layers[0].states
    segment_terms(model, segment_row(rows, 5, RECURRENCE), memory, TermGains(), 0)
    assert memory.layers[0].states is before


def test_the_last_segment_predicts_what_there_is(model: DecoderOnly) -> None:
    rows = random_text(43)
    last = n_segments(43, 4) - 1
    memory = memory_before(model, rows, last, RECURRENCE)
    assert segment_terms(model, segment_row(rows, last, RECURRENCE), memory, TermGains(), 0).losses.shape == (2,)


def test_gains_of_one_change_nothing(model: DecoderOnly) -> None:
    assert TermGains().edits() == {}
    assert TermGains(layer=1, head=0).edits() == {}
    rows = random_text()
    plain = segment_losses(model, rows, 4, model.new_memory(8))[0, 20:24].numpy()
    np.testing.assert_allclose(found(model, TermGains()).losses, plain, rtol=1e-4, atol=1e-5)


def test_content_alone_is_left_without_the_other_three(model: DecoderOnly) -> None:
    alone = found(model, TermGains((1.0, 0.0, 0.0, 0.0)), layer=0)
    content = found(model, layer=0).terms[0]
    np.testing.assert_array_equal(alone.terms[0], content)
    assert not np.nan_to_num(alone.terms[1:]).any()
    expected = np.nan_to_num(np.exp(content - np.nanmax(content, axis=-1, keepdims=True)))
    expected /= expected.sum(-1, keepdims=True)
    np.testing.assert_allclose(alone.pattern, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("gain", [0.0, 0.5, 2.0])
def test_a_gain_multiplies_its_term_and_no_other(model: DecoderOnly, place: int, gain: float) -> None:
    gains = [1.0] * 4
    gains[place] = gain
    plain, changed = found(model), found(model, TermGains(tuple(gains), layer=LAYER))
    expected = plain.terms.copy()
    expected[place] *= gain
    np.testing.assert_allclose(changed.terms, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(changed.scores, expected.sum(0), rtol=1e-4, atol=1e-5)
    assert not np.allclose(changed.losses, plain.losses)


def test_a_gain_of_one_head_leaves_the_others_of_its_layer(model: DecoderOnly) -> None:
    plain, changed = found(model), found(model, TermGains((0.0, 1.0, 1.0, 1.0), layer=LAYER, head=1))
    np.testing.assert_allclose(changed.pattern[0], plain.pattern[0], rtol=1e-5, atol=1e-6)
    assert not np.nan_to_num(changed.terms[0, 1]).any()
    assert np.nan_to_num(changed.terms[0, 0]).any()
    assert not np.allclose(changed.pattern[1], plain.pattern[1], atol=1e-3)


def test_a_gain_in_one_layer_leaves_those_before_it(model: DecoderOnly) -> None:
    gains = TermGains((0.0, 1.0, 1.0, 1.0), layer=LAYER)
    np.testing.assert_array_equal(found(model, gains, layer=0).pattern, found(model, layer=0).pattern)
    assert not np.allclose(found(model, gains, layer=2).pattern, found(model, layer=2).pattern)


def test_averages_over_distance_are_those_of_single_positions(model: DecoderOnly) -> None:
    rows = random_text()
    means = distance_means(model, rows[0], RECURRENCE, most=12)
    assert means.n_positions == 12
    assert means.attention.shape == (N_LAYERS, N_HEADS, 9)
    assert means.terms.shape == (4, N_LAYERS, N_HEADS, 9)
    memory = model.new_memory(8)
    pattern, terms = [], []
    for segment in range(5):
        with record("*.pattern", "*.term_d") as seen:
            segment_losses(model, rows[:, 4 * segment : 4 * segment + 5], 4, memory)
        if segment >= 2:
            pattern += [seen["decoder.2.self_attention.pattern"][0, 1, i, 8 + i - 3] for i in range(4)]
            terms += [seen["decoder.0.self_attention.term_d"][0, 0, i, 8 + i - 8] for i in range(4)]
    assert means.attention[2, 1, 3] == pytest.approx(float(torch.stack(pattern).mean()), rel=1e-4)
    assert means.terms[3, 0, 0, 8] == pytest.approx(float(torch.stack(terms).mean()), rel=1e-4)
    np.testing.assert_allclose(means.centred.mean(-1), 0, atol=1e-6)
    # What position alone gives is the same at all positions.
    np.testing.assert_allclose(
        means.terms[3], distance_means(model, rows[0], RECURRENCE, most=4).terms[3], rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize(("n", "n_positions", "n_distances"), [(2, 1, 1), (5, 4, 1), (7, 2, 5), (11, 2, 9)])
def test_a_short_text_is_averaged_as_far_as_it_goes(
    model: DecoderOnly, n: int, n_positions: int, n_distances: int
) -> None:
    means = distance_means(model, random_text(n)[0], RECURRENCE)
    assert means.n_positions == n_positions
    assert means.attention.shape[-1] == n_distances
    assert np.isfinite(means.attention).all()
    assert ablated_terms(model, random_text(n)[0], RECURRENCE).n_characters == n_positions


def test_by_distance_begins_at_the_query_itself() -> None:
    keys = torch.arange(6.0).expand(2, -1)  # value j at key j; queries stand at keys 4 and 5
    assert by_distance(keys, 3).tolist() == [[4, 3, 2, 1], [5, 4, 3, 2]]
    with pytest.raises(ValueError, match=r"^the first of 2 queries has no key 5 back, among 6$"):
        by_distance(keys, 5)


def test_worth_is_the_loss_of_the_model_without_each_term(model: DecoderOnly) -> None:
    rows = random_text()
    ablated = ablated_terms(model, rows[0], RECURRENCE, most=12)
    assert ablated.n_characters == 12

    def bits(edits: dict) -> float:
        with intervene(edits):
            losses = segment_losses(model, rows[:, :21], 4, model.new_memory(8))
        return float(losses[0, 8:].double().mean()) / math.log(2)

    assert ablated.as_trained == pytest.approx(bits({}), rel=1e-4)
    assert tuple(ablated.without) == TERMS
    for term, value in ablated.without.items():
        assert value == pytest.approx(bits({f"*.term_{term}": torch.zeros_like}), abs=5e-6)
        assert value != pytest.approx(ablated.as_trained, abs=2e-5)


def test_a_text_with_nothing_to_predict_is_refused(model: DecoderOnly) -> None:
    with pytest.raises(ValueError, match=r"^the text has no character to predict"):
        distance_means(model, random_text(1)[0], RECURRENCE)
    with pytest.raises(ValueError, match=r"^the text has no character to predict"):
        ablated_terms(model, random_text(0)[0], RECURRENCE)


def test_only_one_encoding_has_the_terms(model: DecoderOnly) -> None:
    assert has_terms(model)
    assert not has_terms(strong_model(N_LAYERS, positional=PositionalConfig("sinusoidal")))
