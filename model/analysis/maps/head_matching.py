"""Heads of two trainings of one model, matched one to one by where they look in the same texts.

Nothing ties the numbers of heads in one training to those in another: head 3 of a block may do what head 7 does there.
"""

from itertools import permutations

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

MAX_HEADS = 8
"""Matchings are tried one by one, and of more heads there are too many."""


def pattern_overlaps(
    patterns: Float[Tensor, "head query key"], others: Float[Tensor, "other query key"]
) -> Float[Tensor, "head other"]:
    """Return the weight that each pair of heads puts on the same keys, 0 to 1, the mean over queries."""
    return torch.minimum(patterns[:, None], others[None]).sum(-1).mean(-1)


def best_matching(overlaps: Float[np.ndarray, "head other"]) -> Int[np.ndarray, " head"]:
    """Return for each head the other one that it is matched with, such that the overlaps sum to the most.

    Raises:
        ValueError: more heads than :data:`MAX_HEADS`, or another number of others.
    """
    n_heads, n_others = overlaps.shape
    if n_heads > MAX_HEADS or n_heads != n_others:
        raise ValueError(
            f"{n_heads} heads and {n_others} others were given; there can be at most {MAX_HEADS}, as many of both"
        )
    matchings = np.array([*permutations(range(n_heads))])  # [matching, head]
    sums = overlaps[np.arange(n_heads), matchings].sum(1)
    return np.asarray(matchings[sums.argmax()])
