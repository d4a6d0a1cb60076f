"""Whether two measures put the same things in the same order (Spearman 1904)."""

import numpy as np
from jaxtyping import Float


def rank_correlation(one: Float[np.ndarray, " n"], other: Float[np.ndarray, " n"]) -> float:
    """Return Spearman's ρ: the correlation of the ranks, from −1 to 1; equal values share the mean of their ranks.

    NaN where one of them has a single value throughout.
    """
    ranks = np.stack([_ranks(one), _ranks(other)])
    centred = ranks - ranks.mean(axis=1, keepdims=True)
    spread = float(np.sqrt((centred**2).sum(axis=1).prod()))
    return float((centred[0] * centred[1]).sum()) / spread if spread else float("nan")


def _ranks(values: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    below = (values < values[:, None]).sum(axis=1)
    equal = (values == values[:, None]).sum(axis=1)
    ranks: Float[np.ndarray, " n"] = below + (equal + 1) / 2
    return ranks
