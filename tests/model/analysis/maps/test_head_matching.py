"""Heads are matched with those that look at the same places, whatever their numbers."""

import numpy as np
import pytest
import torch
from scipy.optimize import linear_sum_assignment

from model.analysis.maps.head_matching import MAX_HEADS, best_matching, pattern_overlaps


def patterns(n_heads: int, seed: int = 0) -> torch.Tensor:
    scores = torch.randn(n_heads, 5, 7, generator=torch.Generator().manual_seed(seed))
    return (3 * scores).softmax(-1)


def test_an_overlap_is_one_of_a_pattern_with_itself_and_zero_where_no_key_is_shared() -> None:
    one = patterns(3)
    overlaps = pattern_overlaps(one, one)
    torch.testing.assert_close(overlaps.diagonal(), torch.ones(3))
    torch.testing.assert_close(overlaps, overlaps.T)
    first, second = torch.zeros(1, 2, 4), torch.zeros(1, 2, 4)
    first[..., 0], second[..., 3] = 1, 1
    assert float(pattern_overlaps(first, second)) == 0
    assert float(pattern_overlaps(first, (first + second) / 2)) == 0.5


def test_shuffled_heads_are_matched_with_themselves() -> None:
    one, order = patterns(MAX_HEADS), np.random.default_rng(1).permutation(MAX_HEADS)
    matching = best_matching(pattern_overlaps(one, one[order.tolist()]).numpy())
    assert order[matching].tolist() == [*range(MAX_HEADS)]


@pytest.mark.parametrize("seed", range(5))
def test_the_matching_is_that_of_the_hungarian_algorithm(seed: int) -> None:
    overlaps = np.random.default_rng(seed).random((6, 6))
    assert best_matching(overlaps).tolist() == linear_sum_assignment(overlaps, maximize=True)[1].tolist()


@pytest.mark.parametrize("shape", [(9, 9), (4, 5)])
def test_heads_that_cannot_be_matched_are_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"{shape[0]} heads and {shape[1]} others were given; there can be at most 8"):
        best_matching(np.zeros(shape))
