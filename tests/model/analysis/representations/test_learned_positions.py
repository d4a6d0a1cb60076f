"""What is learned about positions alone, held against the formulas of the encodings."""

import numpy as np
import pytest
import torch

from model.analysis.representations.learned_positions import bias_by_distance, position_similarity
from model.architectures.decoder_only import DecoderOnly
from model.hooks import record
from model.zoo.plan import ENCODINGS
from model.zoo.watched_runs import WatchedRun

N = 12
WITH_CURVES = ("t5", "t5_near", "t5_nearer", "fire", "kerple")


def fresh(encoding: str) -> DecoderOnly:
    torch.manual_seed(1)
    return DecoderOnly(WatchedRun(encoding=encoding, n_layers=2, n_heads=2, d_model=16).run().model)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_bias_that_depends_on_learned_numbers_and_distance_alone_is_a_curve(encoding: str) -> None:
    curves = bias_by_distance(fresh(encoding).eval(), N)
    assert (curves is not None) == (encoding in WITH_CURVES)
    assert curves is None or curves.shape == (2, 2, N)


@pytest.mark.parametrize("encoding", WITH_CURVES)
def test_the_curve_is_what_every_row_of_a_pass_gets_whatever_the_content(encoding: str) -> None:
    model = fresh(encoding).eval()
    curves = bias_by_distance(model, N)
    with record("*.position_bias") as seen:
        model(torch.randint(3, 8, (1, N)), positions=model.positional.test_positions(N))
    for layer, curve in enumerate(curves):
        added = seen[f"decoder.{layer}.self_attention.position_bias"][0].detach()  # [H, Q, K]
        for query in range(N):
            expected = added[:, query, : query + 1].flip(-1)
            np.testing.assert_allclose(curve[:, : query + 1], expected, atol=1e-6)


def test_the_curve_of_kerple_is_its_formula() -> None:
    model = fresh("kerple")
    curves = bias_by_distance(model, N)
    for layer, of_heads in enumerate(curves):
        encoding = model.positional.at_layer(layer)
        for head, curve in enumerate(of_heads):
            r1, r2 = (float(one[head].detach().exp()) for one in (encoding.log_r1, encoding.log_r2))
            np.testing.assert_allclose(curve, -r1 * np.log1p(r2 * np.arange(N)), rtol=1e-4, atol=1e-6)


def test_the_curve_of_t5_is_its_table_where_each_distance_has_a_bucket() -> None:
    model = fresh("t5")
    np.testing.assert_array_equal(bias_by_distance(model, N)[1], model.positional.table[:N].detach().T)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_only_a_learned_table_has_vectors_of_positions(encoding: str) -> None:
    model = fresh(encoding)
    found = position_similarity(model, N)
    assert (found is not None) == (encoding in ("learned", "shifted"))
    if found is not None:
        rows = getattr(model.positional, "inner", model.positional).table[:N].detach().numpy()
        by_hand = [[a @ b / np.sqrt((a @ a) * (b @ b)) for b in rows] for a in rows]
        np.testing.assert_allclose(found, by_hand, atol=1e-5)
