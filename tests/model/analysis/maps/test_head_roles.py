"""What heads do, on maps whose role is known."""

import numpy as np
import pytest
import torch

from model.analysis.maps.head_roles import MAX_OFFSET, MapTokens, measure_maps, measured_rows, measured_sentences
from model.architectures.decoder_only import DecoderOnly
from model.architectures.encoder_decoder import EncoderDecoder
from model.config import DecoderOnlyConfig, EncoderDecoderConfig
from model.hooks import record
from model.tasks import Row

TOKENS = [5, 6, 7, 5, 6, 8]
COUNTS = {5: 9, 6: 8, 7: 1, 8: 3}
NO_SINK = np.zeros(len(TOKENS), dtype=bool)
CAUSAL = np.tril(np.ones((6, 6)))


def measured(weights: np.ndarray, *, sink: np.ndarray = NO_SINK, is_causal: bool = True):
    maps = weights / weights.sum(-1, keepdims=True)
    return measure_maps(maps[None], MapTokens(TOKENS, TOKENS, sink), COUNTS, is_causal=is_causal)


def looking_at(keys: list[int]) -> np.ndarray:
    return np.eye(6)[keys]


def test_a_head_that_reads_the_previous_token_is_positional() -> None:
    found = measured(looking_at([0, 0, 1, 2, 3, 4]))
    assert found.values["previous"] == [1]
    assert found.values["same"] == [pytest.approx(1 / 6)]
    assert found.offsets[0, MAX_OFFSET - 1] == 5
    assert found.values["confidence"] == [1]
    assert found.values["entropy"] == [0]
    assert found.values["distance"] == [pytest.approx(5 / 6)]


def test_an_induction_head_reads_what_followed_the_earlier_copy() -> None:
    found = measured(looking_at([0, 0, 0, 1, 2, 0]))
    assert found.values["induction"] == [1]
    assert found.values["duplicate"] == [0]
    copies = measured(looking_at([0, 0, 0, 0, 1, 0]))
    assert copies.values["duplicate"] == [1]
    assert copies.values["induction"] == [0]


def test_a_rare_word_head_reads_the_rarest_token() -> None:
    assert measured(looking_at([2] * 6), is_causal=False).values["rare"] == [1]
    assert measured(looking_at([1] * 6), is_causal=False).values["rare"] == [0]


def test_a_sink_has_a_measure_of_its_own_and_is_left_out_of_others() -> None:
    sink = np.array([False] * 5 + [True])
    rests = measured(np.array([[0.1, 0, 0, 0, 0, 0.9]] * 6), sink=sink)
    assert rests.values["sink"] == [pytest.approx(0.9)]
    assert rests.values["confidence"] == [pytest.approx(0.1)]
    assert rests.values["distance"] == [pytest.approx(2.5)]


def test_punctuation_and_the_last_token_before_the_end_have_measures_of_their_own() -> None:
    sink, mark = (np.array([False] * at + [True] + [False] * (5 - at)) for at in (5, 4))
    maps = np.array([[[0.1, 0, 0, 0, 0.4, 0.5]] * 6])
    ahead = measure_maps(maps, MapTokens(TOKENS, TOKENS, sink, mark), COUNTS, is_causal=False).values
    np.testing.assert_allclose([ahead[name][0] for name in ("last", "marks", "sink")], [0.4, 0.4, 0.5])
    causal = measure_maps(maps, MapTokens(TOKENS, TOKENS, sink), COUNTS, is_causal=True).values
    assert np.isnan([*causal["last"], *causal["marks"]]).all()


def test_uniform_weights_have_the_entropy_of_their_number() -> None:
    assert measured(np.ones((6, 6)), is_causal=False).values["entropy"] == [pytest.approx(np.log2(6))]


def test_a_row_that_sees_only_the_beginning_points_to_nothing() -> None:
    sink = np.array([True] + [False] * 5)
    found = measured(CAUSAL, sink=sink)
    assert found.n_places == [5]
    assert found.offsets.sum() == 5


CAUSAL_HEADS = {
    "same": [0, 1, 2, 3, 4, 5],
    "first": [0, 1, 1, 1, 1, 1],
    "duplicate": [0, 1, 2, 3, 1, 5],
    "induction": [0, 1, 2, 3, 2, 5],
    "confidence": [0, 1, 2, 3, 4, 5],
}


@pytest.mark.parametrize("role", CAUSAL_HEADS)
def test_a_causal_head_has_its_role_wholly_and_no_weight_on_sinks_but_where_it_must(role: str) -> None:
    sink = np.array([True] + [False] * 5)
    values = measured(looking_at(CAUSAL_HEADS[role]), sink=sink).values
    assert values[role] == [1]
    assert values["sink"] == [0]
    assert values["entropy"] == [0]


def test_a_causal_head_that_looks_one_back_is_wholly_a_positional_one() -> None:
    values = measured(looking_at([0, 0, 1, 2, 3, 4]), sink=np.array([True] + [False] * 5)).values
    assert values["previous"] == [1]
    assert values["sink"] == [pytest.approx(1 / 5)]


def test_a_uniform_causal_head_is_diluted_by_no_row_without_a_choice() -> None:
    values = measured(CAUSAL, sink=np.array([True] + [False] * 5)).values
    lengths = np.arange(2, 7)
    assert values["sink"] == values["same"] == [pytest.approx((1 / lengths).mean())]
    assert values["entropy"] == [pytest.approx(np.log2(lengths).mean())]


def test_a_head_with_all_its_weight_on_sinks_points_to_nothing_beside_one_that_points() -> None:
    sink = np.array([False] * 5 + [True])
    maps = np.stack([looking_at([5] * 6), looking_at([2] * 6)])
    found = measure_maps(maps, MapTokens(TOKENS, TOKENS, sink), COUNTS, is_causal=False)
    assert found.n_places.tolist() == [0, 6]
    np.testing.assert_array_equal(found.values["rare"], [np.nan, 1])
    np.testing.assert_array_equal(found.offsets.sum(-1), [0, 6])


def test_every_layer_of_a_model_is_measured() -> None:
    config = EncoderDecoderConfig(20, d_model=8, n_heads=2, d_ff=8, n_encoder_layers=1, n_decoder_layers=2)
    (found,) = measured_sentences(EncoderDecoder(config).eval(), [([5, 6, 7], [8, 9])])
    assert {*found} == {("encoder", 0), ("decoder", 0), ("decoder", 1), ("cross", 0), ("cross", 1)}
    for place, measures in found.items():
        assert {len(values) for values in measures.values.values()} == {2}
        assert np.isnan(measures.values["induction"]).all()
        assert (np.nan_to_num(measures.values["sink"]) <= 1).all(), place


def test_rows_of_a_task_are_measured_alone_as_in_a_batch() -> None:
    rows = [Row([1, *prompt, 3, *prompt, 2], len(prompt) + 2, None) for prompt in ([5, 6], [7, 8, 9], [6, 5])]
    model = DecoderOnly(DecoderOnlyConfig(10, d_model=8, n_heads=2, d_key=4, d_value=4, d_ff=8, n_layers=2)).eval()
    together = [*measured_rows(model, rows)]
    assert [{*found} for found in together] == [{("decoder", 0), ("decoder", 1)}] * 3
    with torch.inference_mode(), record("decoder.1.self_attention.pattern") as seen:
        model(torch.tensor([rows[0].ids[:-1]]))
    pattern = seen["decoder.1.self_attention.pattern"][0].numpy()
    found = together[0]["decoder", 1].values
    np.testing.assert_allclose(found["sink"], pattern[:, 1:, 0].mean(-1), rtol=1e-5)
    np.testing.assert_allclose(found["first"], pattern[:, 1:, 1].mean(-1), rtol=1e-5)
    # The prompt comes again in the answer, so there is something to repeat.
    assert np.isfinite(found["induction"]).all()
