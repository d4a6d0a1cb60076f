"""Large attention maps made small enough to see all at once: no weight that stands out is lost.

A map is cut into squares, and the largest weight of each is kept. Where tokens are few, a square is one weight.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float32

SIDE = 96
"""Squares along a side; a few more where special tokens have one of their own."""
_MOST_ALONE = 8

Measure = Literal["pointed", "entropy", "diagonal", "distance"]
Map = Float32[np.ndarray, "query key"]


def starts(n_tokens: int, special: tuple[bool, ...] = ()) -> tuple[int, ...]:
    """Return the first token of each square along a side of ``n_tokens``.

    Special tokens, which often take most of the weight, have squares of their own where they are few.
    """
    if n_tokens <= SIDE:
        return tuple(range(n_tokens))
    first_tokens = {-(-number * n_tokens // SIDE) for number in range(SIDE)}
    alone = [token for token, is_special in enumerate(special) if is_special]
    if len(alone) <= _MOST_ALONE:
        first_tokens |= {start for token in alone for start in (token, token + 1) if start < n_tokens}
    return tuple(sorted(first_tokens))


@dataclass(frozen=True, eq=False)
class ReducedMaps:
    """Maps of every head, reduced.

    Args:
        weights: [layer, head, query, key].
        row_starts: the first query of each square.
        column_starts: the first key of each square.
    """

    weights: Float32[np.ndarray, "layer head query key"]
    row_starts: tuple[int, ...]
    column_starts: tuple[int, ...]
    _measured: dict[Measure, Float32[np.ndarray, "layer head"]] = field(default_factory=dict)

    @cached_property
    def largest(self) -> Float32[np.ndarray, "layer head row column"]:
        """The largest weight in each square."""
        n_layers, n_heads = self.weights.shape[:2]
        row_ends = (*self.row_starts[1:], self.weights.shape[2])
        maxima = np.empty((n_layers, n_heads, len(self.row_starts), len(self.column_starts)), np.float32)
        for place, weights in self._maps():
            # Square by square down the rows: several times as fast as ``reduceat`` along that axis.
            of_rows = np.stack(
                [weights[start:end].max(axis=0) for start, end in zip(self.row_starts, row_ends, strict=True)]
            )
            maxima[place] = np.maximum.reduceat(of_rows, self.column_starts, axis=1)
        return maxima

    def measure(self, name: Measure) -> Float32[np.ndarray, "layer head"]:
        """Return what tells heads apart: a mean over the rows that have any weight, of the measure ``name``."""
        if name not in self._measured:
            means = np.zeros(self.weights.shape[:2], np.float32)
            distances = _distances(*self.weights.shape[2:])
            for place, weights in self._maps():
                sums = weights.sum(axis=1)
                has_weight = sums > 0
                if has_weight.any():
                    means[place] = (_MEASURES[name](weights, distances)[has_weight] / sums[has_weight]).mean()
            self._measured[name] = means
        return self._measured[name]

    def _maps(self) -> Iterator[tuple[tuple[int, ...], Map]]:
        # Map by map, because one map stays in the processor's cache.
        for place in np.ndindex(*self.weights.shape[:2]):
            yield place, self.weights[place]


def _pointed(weights: Map, _: Map) -> Float32[np.ndarray, " query"]:
    largest: np.ndarray = weights.max(axis=1)
    return largest


def _entropy(weights: Map, _: Map) -> Float32[np.ndarray, " query"]:
    """Return the entropy of each row in bits, times the row's sum."""
    sums = weights.sum(axis=1)
    logarithms = np.log2(np.maximum(weights, np.finfo(np.float32).tiny))
    total = np.einsum("qk,qk->q", weights, logarithms)
    bits: np.ndarray = np.maximum(0, sums * np.log2(np.maximum(sums, np.finfo(np.float32).tiny)) - total)
    return bits


def _diagonal(weights: Map, distances: Map) -> Float32[np.ndarray, " query"]:
    """Return the weight that lies at most one token from the diagonal."""
    near: np.ndarray = np.where(distances <= 1, weights, np.float32(0)).sum(axis=1)
    return near


def _distance(weights: Map, distances: Map) -> Float32[np.ndarray, " query"]:
    """Return the distance from the diagonal, in tokens, times the row's sum."""
    far: np.ndarray = np.einsum("qk,qk->q", weights, distances)
    return far


def _distances(n_queries: int, n_keys: int) -> Map:
    queries = np.arange(n_queries, dtype=np.float32)
    # The key that lies where the query lies, in a map that need not be square.
    centres = queries if n_queries == n_keys or n_queries < 2 else queries * np.float32((n_keys - 1) / (n_queries - 1))
    distances: Map = np.abs(np.arange(n_keys, dtype=np.float32) - centres[:, None])
    return distances


_MEASURES: Mapping[Measure, Callable[[Map, Map], Float32[np.ndarray, " query"]]] = {
    "pointed": _pointed,
    "entropy": _entropy,
    "diagonal": _diagonal,
    "distance": _distance,
}
