"""Every measure of a translation, against what was recorded and what the papers define."""

import numpy as np
import pytest

from model.decoding.options import GREEDY
from model.decoding.translator import Translation, Translator
from viz.base.attention_maps import BLOCKS, attention_kinds
from viz.pages.translate.study.cell_steps import block_name, record_blocks
from viz.pages.translate.study.measures import MAX_FLOW_TOKENS, MEASURES, TooManyTokensError


@pytest.fixture(scope="module")
def translation(translator: Translator) -> Translation:
    return translator.translate("The old dog sleeps.", GREEDY)


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_has_every_kind_between_the_same_tokens(
    translator: Translator, translation: Translation, measure: str
) -> None:
    found = MEASURES[measure](translator, translation)
    assert tuple(kind.name for kind in found) == BLOCKS
    for kind, weighed in zip(found, attention_kinds(translation), strict=True):
        assert (kind.queries, kind.keys) == (weighed.queries, weighed.keys)


def test_the_first_measure_is_the_recorded_weights(translator: Translator, translation: Translation) -> None:
    found = next(iter(MEASURES.values()))(translator, translation)
    for kind, recorded in zip(found, attention_kinds(translation), strict=True):
        np.testing.assert_array_equal(kind.weights, recorded.weights)


def test_what_is_passed_on_is_the_length_of_weight_times_value_through_the_output_matrix(
    translator: Translator, translation: Translation
) -> None:
    recorded = record_blocks(translator, translation)
    for kind in MEASURES["passed on"](translator, translation):
        block = recorded[block_name(kind.name, 1)]
        head, query, key = 2, 3, 1
        columns = slice(head * block.v.shape[2], (head + 1) * block.v.shape[2])
        vector = block.pattern[head, query, key] * (block.W_O[:, columns] @ block.v[head, key])
        assert kind.weights[1, head, query, key] == pytest.approx(np.linalg.norm(vector), rel=1e-4)


def test_rollout_is_a_product_of_halves_and_its_rows_add_up_to_one(
    translator: Translator, translation: Translation
) -> None:
    encoder, decoder, cross = (kind.weights for kind in MEASURES["rollout"](translator, translation))
    np.testing.assert_allclose(encoder.sum(axis=-1), 1, rtol=1e-5)
    np.testing.assert_allclose(decoder.sum(axis=-1) + cross.sum(axis=-1), 1, rtol=1e-5)
    weighed = attention_kinds(translation)
    product = np.eye(encoder.shape[-1])
    for layer, heads in enumerate(weighed[0].weights):
        product = (heads.mean(axis=0) + np.eye(len(product))) / 2 @ product
        np.testing.assert_allclose(encoder[layer, 0], product, atol=1e-6)
    # In the first decoder layer a written token is half itself and half what it read, of which cross takes half again.
    written, read = (kind.weights[0].mean(axis=0) for kind in weighed[1:])
    np.testing.assert_allclose(decoder[0, 0], (written + np.eye(len(written))) / 4, atol=1e-6)
    np.testing.assert_allclose(cross[0, 0], read @ product / 2, atol=1e-6)


def test_flow_keeps_to_its_pipes_and_to_what_is_written_before(
    translator: Translator, translation: Translation
) -> None:
    encoder, decoder, cross = (kind.weights[0, 0] for kind in MEASURES["flow"](translator, translation))
    rolled = [kind.weights[-1, 0] for kind in MEASURES["rollout"](translator, translation)]
    for flow, rollout in zip((encoder, decoder, cross), rolled, strict=True):
        # Every way that rollout takes is a way for flow, and no pipe is wider than one.
        assert (flow >= rollout - 1e-6).all()
        assert flow.max() <= 1 + 1e-6
    assert (np.triu(decoder, 1) == 0).all()


def test_flow_of_a_long_text_says_how_long_it_may_be(translator: Translator) -> None:
    with pytest.raises(TooManyTokensError) as raised:
        MEASURES["flow"](translator, translator.translate("I am. " * 30, GREEDY))
    assert raised.value.most == MAX_FLOW_TOKENS < raised.value.n_tokens
