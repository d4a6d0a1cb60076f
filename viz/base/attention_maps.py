"""What the explorer is given: tokens, attention weights, the steps of writing, and rows in full precision."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float32

BlockName = Literal["encoder", "decoder", "cross"]
BLOCKS: tuple[BlockName, ...] = get_args(BlockName)

# A softmax in float32 may end a little above 1; that is no reason to scale a whole map.
_ROUNDING = 1e-4


@dataclass(frozen=True)
class TokenRow:
    """The tokens along one side of a map.

    Args:
        labels: any text, shown as text.
        words: spans ``(start, end)`` that cover all tokens in order; empty where every token is a word.
        special: whether each token is special (BOS, EOS, …); empty where none is.
        word_labels: a text for each of the words; empty where a word is its tokens' labels, one after the other.

    Raises:
        ValueError: spans, flags or texts of words that do not fit the labels.
    """

    labels: tuple[str, ...]
    words: tuple[tuple[int, int], ...] = ()
    special: tuple[bool, ...] = ()
    word_labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that spans and flags fit the labels."""
        if not self.labels:
            raise ValueError("A row of tokens has no token; give it one or more.")
        if self.special and len(self.special) != len(self.labels):
            raise ValueError(
                f"There are {len(self.special)} flags for {len(self.labels)} tokens; give one for each, or none."
            )
        if self.word_labels and len(self.word_labels) != len(self.words):
            raise ValueError(
                f"There are {len(self.word_labels)} texts for {len(self.words)} words; give one for each, or none."
            )
        if not self.words:
            return
        bounds = [0, *(end for _, end in self.words)]
        joined = all(start == before < end for before, (start, end) in zip(bounds, self.words, strict=False))
        if not joined or bounds[-1] != len(self.labels):
            raise ValueError(
                f"The words {list(self.words)} do not cover {len(self.labels)} tokens; "
                "give spans that follow each other from the first token to the last."
            )

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.labels)

    def word_of(self, token: int) -> tuple[int, int]:
        """Return the span of the word that holds ``token``."""
        return next(((start, end) for start, end in self.words if start <= token < end), (token, token + 1))


@dataclass(frozen=True)
class AttentionKind:
    """Every head of every layer of one kind of attention; or any other measure that is 0 or more, such as norms.

    Args:
        name: which block of the model.
        weights: [layer, head, query, key], 0 or more.
        queries: what the rows stand for.
        keys: what the columns stand for.

    Raises:
        ValueError: weights that do not fit the tokens, are negative or not finite.
    """

    name: BlockName
    weights: Float32[np.ndarray, "layer head query key"]
    queries: TokenRow
    keys: TokenRow

    def __post_init__(self) -> None:
        """Check the weights against the tokens."""
        if self.name not in BLOCKS:
            raise ValueError(f"The kind of attention is {self.name!r}; give one of {', '.join(BLOCKS)}.")
        wanted = (len(self.queries), len(self.keys))
        if self.weights.ndim != 4 or self.weights.shape[2:] != wanted or 0 in self.weights.shape:
            raise ValueError(
                f"The {self.name} weights have the shape {self.weights.shape}; "
                f"give [layer, head, {wanted[0]} queries, {wanted[1]} keys], with a layer and a head at least."
            )
        if self.weights.dtype != np.float32:
            raise ValueError(f"The {self.name} weights are {self.weights.dtype}; give float32.")
        # One pass: a sum is finite only where every weight is, and no weight is below the least.
        if not (np.isfinite(self.weights.sum(dtype=np.float64)) and self.weights.min() >= 0):
            raise ValueError(f"Some {self.name} weights are negative or not finite; give numbers that are 0 or more.")

    @property
    def scales(self) -> Float32[np.ndarray, "layer head"]:
        """Return what byte 255 stands for in each map: 1 for attention weights, else the map's largest value."""
        largest = self.weights.max(axis=(2, 3))
        if largest.max() <= 1 + _ROUNDING:
            return np.ones_like(largest)
        return np.where(largest > 0, largest, np.float32(1))


@dataclass(frozen=True)
class Step:
    """One written token: its label, and what could have been written, as labels with their probabilities."""

    label: str
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class RowAddress:
    """Which row of which map."""

    kind: BlockName
    layer: int
    head: int
    query: int


@dataclass(frozen=True)
class CellAddress:
    """Which cell of which map."""

    kind: BlockName
    layer: int
    head: int
    query: int
    key: int


@dataclass(frozen=True)
class ExactRow:
    """One row in full precision, which a pinned row shows instead of its bytes."""

    kind: BlockName
    layer: int
    head: int
    query: int
    weights: Float32[np.ndarray, " key"]


def exact_rows(kinds: Sequence[AttentionKind], addresses: Sequence[RowAddress]) -> tuple[ExactRow, ...]:
    """Return the rows at ``addresses``, with their weights as they are in ``kinds``."""
    weights = {kind.name: kind.weights for kind in kinds}
    return tuple(
        ExactRow(at.kind, at.layer, at.head, at.query, weights[at.kind][at.layer, at.head, at.query])
        for at in addresses
    )
