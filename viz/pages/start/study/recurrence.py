"""Transformer-XL in numbers: how far its memory reaches, and the four terms of its scores."""

import numpy as np
from jaxtyping import Bool, Float

from viz.pages.start.study.position import encode

TERMS = ("a", "b", "c", "d")
_SEED = 3


def visible_with_memory(segment_length: int, mem_len: int) -> Bool[np.ndarray, "query key"]:
    """Return the keys that a segment's queries may see: the memory, then the segment, causally masked."""
    queries, keys = np.arange(segment_length), np.arange(-mem_len, segment_length)
    return keys[None, :] <= queries[:, None]


def reach(n_layers: int, segment_length: int, mem_len: int) -> int:
    """Return the number of positions before its segment that can influence the top layer by any path.

    A layer looks at the layer below, in its own segment and in the memory before it.
    """
    n_before = n_layers * (segment_length + mem_len)
    n_positions = (-(-n_before // segment_length) + 1) * segment_length
    starts = np.arange(n_positions) // segment_length * segment_length
    positions = np.arange(n_positions)
    sees = (positions[None, :] <= positions[:, None]) & (positions[None, :] >= starts[:, None] - mem_len)
    reached = np.zeros(n_positions, dtype=bool)
    reached[-segment_length:] = True
    for _ in range(n_layers):
        reached = np.asarray(sees[reached].any(axis=0))
    return int(starts[-1] - reached.argmax())


def score_terms(n: int, d: int) -> dict[str, Float[np.ndarray, "query key"]]:
    """Return the four terms of a score for random vectors of ``n`` tokens; NaN under the causal mask."""
    rng = np.random.default_rng(_SEED)
    queries, keys = rng.standard_normal((2, n, d))
    u, v = rng.standard_normal((2, d))
    by_distance = encode(d, n).astype(np.float64) @ rng.standard_normal((d, d))
    distances = np.subtract.outer(np.arange(n), np.arange(n))
    relative = by_distance[np.abs(distances)]  # [Q, K, d]
    terms = {
        "a": queries @ keys.T,
        "b": np.einsum("qd,qkd->qk", queries, relative),
        "c": np.tile(keys @ u, (n, 1)),
        "d": relative @ v,
    }
    return {name: np.where(distances >= 0, term / np.sqrt(d), np.nan) for name, term in terms.items()}


def terms_of_distance(terms: dict[str, Float[np.ndarray, "query key"]]) -> tuple[str, ...]:
    """Return the terms that have one value for each distance, whatever the query and the key."""
    return tuple(name for name, term in terms.items() if _is_same_along_diagonals(term))


def _is_same_along_diagonals(term: Float[np.ndarray, "query key"]) -> bool:
    diagonals = (np.diagonal(term, -distance) for distance in range(len(term)))
    return all(np.allclose(diagonal, diagonal[0]) for diagonal in diagonals)
