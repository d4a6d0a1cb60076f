import numpy as np
import pytest

from viz.figures.words import by_words


def attention(*shape: int) -> np.ndarray:
    raw = np.random.default_rng(0).random(shape).astype(np.float32)
    return raw / raw.sum(axis=-1, keepdims=True)


def test_rows_still_sum_to_one() -> None:
    maps = by_words(attention(3, 8, 5, 6), [(0, 1), (1, 4), (4, 5)], [(0, 2), (2, 3), (3, 6)])
    assert maps.shape == (3, 8, 3, 3)
    np.testing.assert_allclose(maps.sum(axis=-1), 1, rtol=1e-6)


def test_keys_are_summed_and_queries_averaged() -> None:
    weights = np.array([[0.1, 0.2, 0.7], [0.5, 0.1, 0.4]], dtype=np.float32)
    assert by_words(weights, [(0, 2)], [(0, 2), (2, 3)]) == pytest.approx(np.array([[0.45, 0.55]]))


def test_words_of_one_piece_change_nothing() -> None:
    weights = attention(2, 4, 4)
    single = [(index, index + 1) for index in range(4)]
    np.testing.assert_array_equal(by_words(weights, single, single), weights)
