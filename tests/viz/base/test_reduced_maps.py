"""Reduced maps: nothing that stands out is lost, and heads are measured by all of their weights."""

import numpy as np
import pytest
from scipy.stats import entropy

from viz.base.attention_maps import AttentionKind, TokenRow
from viz.base.reduced_maps import SIDE, starts

N = 3 * SIDE + 7


def kind(n_queries: int, n_keys: int, special: tuple[bool, ...] = ()) -> AttentionKind:
    weights = np.random.default_rng(0).random((2, 3, n_queries, n_keys), dtype=np.float32) ** 8
    sides = [
        TokenRow(tuple(map(str, range(n))), special=special if n == len(special) else ()) for n in (n_queries, n_keys)
    ]
    return AttentionKind("encoder", weights / weights.sum(axis=-1, keepdims=True), *sides)


@pytest.mark.parametrize(("n_queries", "n_keys"), [(N, N), (N, 5), (1, N), (4, 4)])
def test_each_square_has_its_largest_weight(n_queries: int, n_keys: int) -> None:
    found = kind(n_queries, n_keys)
    rows, columns = ([*starts(n), n] for n in (n_queries, n_keys))
    for row in {0, (len(rows) - 1) // 2, len(rows) - 2}:
        for column in {0, (len(columns) - 1) // 3, len(columns) - 2}:
            square = found.weights[:, :, rows[row] : rows[row + 1], columns[column] : columns[column + 1]]
            np.testing.assert_array_equal(found.reduced.largest[:, :, row, column], square.max(axis=(2, 3)))
    assert found.reduced.largest.shape[2:] == (min(n_queries, SIDE), min(n_keys, SIDE))


def test_special_tokens_have_squares_of_their_own_unless_they_are_many() -> None:
    alone = starts(N, (True, *[False] * (N - 2), True))
    assert {0, 1, N - 1} <= {*alone}
    assert len(alone) <= SIDE + 3
    assert len(starts(N, (True,) * N)) == SIDE


def test_heads_are_measured_by_the_mean_over_their_rows() -> None:
    found = kind(20, 20)
    weights, distances = found.weights, np.abs(np.arange(20) - np.arange(20)[:, None])
    wanted = {
        "pointed": weights.max(axis=-1).mean(axis=-1),
        "entropy": entropy(weights, base=2, axis=-1).mean(axis=-1),
        "diagonal": (weights * (distances <= 1)).sum(axis=-1).mean(axis=-1),
        "distance": (weights * distances).sum(axis=-1).mean(axis=-1),
    }
    for name, values in wanted.items():
        np.testing.assert_allclose(found.reduced.measure(name), values, rtol=1e-4)


def test_rows_without_weight_are_not_measured() -> None:
    row = TokenRow(("a", "b"))
    weights = np.array([[[[0, 0], [0.25, 0.75]]]], np.float32)
    assert AttentionKind("encoder", weights, row, row).reduced.measure("pointed").item() == pytest.approx(0.75)
    nothing = AttentionKind("encoder", np.zeros((1, 1, 2, 2), np.float32), row, row)
    assert nothing.reduced.measure("entropy").item() == 0
