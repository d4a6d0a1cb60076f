"""The division of scores by √d_k, studied with random queries and keys as d_k grows.

Vaswani et al. 2017, section 3.2.1, note 4.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

SIZES = tuple(2**power for power in range(11))
"""The d_k that are drawn, 1 to 1024."""
N_GROUPS = 20

Spread = Float[np.ndarray, "3 size"]


@dataclass(frozen=True)
class ScaleStudy:
    """Spread of three measures over groups of samples: 10 % quantile, mean, 90 % quantile, [3, size].

    The columns are the d_k of :data:`SIZES`.

    ``variance`` is that of q·k, ``entropy`` (bits) and ``gradient`` are those of the softmax over a query's scores;
    each by whether scores are divided by √d_k. The gradient is the Frobenius norm of ∂pattern/∂scores, diag(p) − p pᵀ.
    """

    variance: dict[bool, Spread]
    entropy: dict[bool, Spread]
    gradient: dict[bool, Spread]


def study_scale(*, n_samples: int, n_keys: int, seed: int) -> ScaleStudy:
    """Measure the effect of scaling for each d_k, on queries and keys drawn from N(0, 1).

    Each of ``n_samples`` queries, at least 2 in each of the groups, has ``n_keys`` keys, at least 2.
    """
    random = np.random.default_rng(seed)
    products = {size: _products(random, n_samples, n_keys, size) for size in SIZES}
    columns: dict[str, dict[bool, list[Float[np.ndarray, " 3"]]]] = {
        measure: {True: [], False: []} for measure in ("variance", "entropy", "gradient")
    }
    for size, drawn in products.items():
        for is_scaled in (True, False):
            scores = drawn / np.sqrt(size) if is_scaled else drawn
            groups = scores.reshape(N_GROUPS, -1, n_keys)  # [group, sample, key]
            pattern = softmax(groups)
            columns["variance"][is_scaled].append(_spread(groups.reshape(N_GROUPS, -1).var(axis=1, ddof=1)))
            columns["entropy"][is_scaled].append(_spread(entropy(pattern).mean(axis=1)))
            columns["gradient"][is_scaled].append(_spread(gradient(pattern).mean(axis=1)))
    stacked = {name: {key: np.stack(parts, axis=1) for key, parts in kept.items()} for name, kept in columns.items()}
    return ScaleStudy(**stacked)


def softmax(scores: Float[np.ndarray, "*leading key"]) -> Float[np.ndarray, "*leading key"]:
    """Return the softmax over the last axis."""
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    pattern: Float[np.ndarray, "*leading key"] = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return pattern


def entropy(pattern: Float[np.ndarray, "*leading key"]) -> Float[np.ndarray, "*leading"]:
    """Return the entropy of each row in bits; a weight of 0 adds nothing."""
    bits = np.where(pattern > 0, -np.log2(np.where(pattern > 0, pattern, 1.0)), 0.0)
    total: Float[np.ndarray, "*leading"] = (pattern * bits).sum(axis=-1)
    return total


def gradient(pattern: Float[np.ndarray, "*leading key"]) -> Float[np.ndarray, "*leading"]:
    """Return ‖diag(p) − p pᵀ‖ of each row: how far the pattern moves as its scores do."""
    squares = pattern**2
    on_diagonal = (squares * (1 - pattern) ** 2).sum(axis=-1)
    off_diagonal = squares.sum(axis=-1) ** 2 - (squares**2).sum(axis=-1)
    # Rounding can leave the difference of two equal sums just below zero.
    size: Float[np.ndarray, "*leading"] = np.sqrt(on_diagonal + np.maximum(off_diagonal, 0))
    return size


def _products(random: np.random.Generator, n_samples: int, n_keys: int, size: int) -> Float[np.ndarray, "sample key"]:
    # In groups and in float32, so that the largest d_k takes tens of megabytes and not hundreds.
    per_group = n_samples // N_GROUPS
    return np.concatenate(
        [
            np.einsum(
                "sd,skd->sk",
                random.standard_normal((per_group, size), dtype=np.float32),
                random.standard_normal((per_group, n_keys, size), dtype=np.float32),
            ).astype(np.float64)
            for _ in range(N_GROUPS)
        ]
    )


def _spread(by_group: Float[np.ndarray, " group"]) -> Float[np.ndarray, " 3"]:
    return np.array([np.quantile(by_group, 0.1), by_group.mean(), np.quantile(by_group, 0.9)])
