"""Attention in numbers small enough to see: scores of random vectors, and masks."""

import numpy as np
import torch
from jaxtyping import Bool, Float, Float32

from model.attention import attention_pattern, causal_mask

_SEED = 17


def random_scores(d_k: int, n_keys: int) -> Float[np.ndarray, " key"]:
    """Return q·k for one query and ``n_keys`` keys, with components from N(0, 1).

    They are always the same: of a larger ``d_k``, the first components are those of a smaller one.
    """
    drawn = np.random.default_rng(_SEED).standard_normal((d_k, 1 + n_keys))
    scores: Float[np.ndarray, " key"] = drawn[:, 0] @ drawn[:, 1:]
    return scores


def weights(scores: Float[np.ndarray, "*leading key"]) -> Float[np.ndarray, "*leading key"]:
    """Return the softmax of ``scores`` over the keys, as the models compute it."""
    return attention_pattern(torch.from_numpy(scores)).numpy()


def visible(n: int) -> Bool[np.ndarray, "query key"]:
    """Return where a query may look under the causal mask of ``n`` tokens."""
    positions = torch.arange(n)
    return causal_mask(positions, positions)[0, 0].numpy()


def uniform_under_mask(n: int) -> Float32[np.ndarray, "query key"]:
    """Return the pattern of a head whose visible scores are all equal."""
    scores = np.where(visible(n), 0.0, -np.inf).astype(np.float32)
    return weights(scores)
