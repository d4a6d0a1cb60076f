"""One cell of an attention map with every step from queries and keys to the block's output, as arrays."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float32

_CLOSE = 1e-3


@dataclass(frozen=True)
class CellLabels:
    """Labels of the cell's query and of all keys of its row; any text."""

    query: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class RowSteps:
    """A head's weights for all keys of one query, and its output (Vaswani et al. 2017, §3.2).

    Attributes:
        scaled: q·k/√d_key for every key.
        position_bias: what the positional encoding adds to them; None where it adds nothing.
        allowed: the keys that the mask lets the query look at.
        scores: scaled plus bias; −∞ where the mask forbids.
        exponentials: exp(score − the row's largest score).
        pattern: the exponentials over their sum.
        summed: pattern·v over all keys.
        added: what the positional encoding adds to that; None where it adds nothing.
        z: the head's result: ``summed`` plus ``added``.
        contributions: α v W_O of every key, with this head's part of W_O.
        head_output: z W_O.
    """

    scaled: Float32[np.ndarray, " key"]
    position_bias: Float32[np.ndarray, " key"] | None
    allowed: Bool[np.ndarray, " key"]
    scores: Float32[np.ndarray, " key"]
    exponentials: Float32[np.ndarray, " key"]
    pattern: Float32[np.ndarray, " key"]
    summed: Float32[np.ndarray, " d_value"]
    added: Float32[np.ndarray, " d_value"] | None
    z: Float32[np.ndarray, " d_value"]
    contributions: Float32[np.ndarray, "key d_model"]
    head_output: Float32[np.ndarray, " d_model"]


@dataclass(frozen=True)
class AttentionCell:
    """Computation of one weight of one head, and of its contribution.

    Attributes:
        kind: which attention; ``layer``, ``head``, ``query`` and ``key`` say where in it, counted from 0.
        q: of this query, as the scores use it; ``k`` and ``v`` are of this key.
        row: what all cells of the query share.
        output: what the block gives for this query, as recorded: all heads together.
        encoding: the title of the positional encoding that acts in this block; None where none does.
        is_transformed: whether that encoding has changed q and k before they are shown here.
        difference: the largest absolute difference between these steps and the recorded scores, pattern, z and output.
    """

    kind: Literal["cross", "encoder", "decoder"]
    layer: int
    head: int
    query: int
    key: int
    q: Float32[np.ndarray, " d_key"]
    k: Float32[np.ndarray, " d_key"]
    v: Float32[np.ndarray, " d_value"]
    row: RowSteps
    output: Float32[np.ndarray, " d_model"]
    encoding: str | None
    is_transformed: bool
    difference: float

    @property
    def products(self) -> Float32[np.ndarray, " d_key"]:
        """Each dimension of q times the same of k."""
        products: Float32[np.ndarray, " d_key"] = self.q * self.k
        return products

    @property
    def running_sum(self) -> Float32[np.ndarray, " d_key"]:
        """The products added up from the first dimension on; the last is q·k."""
        sums: Float32[np.ndarray, " d_key"] = np.cumsum(self.products, dtype=np.float32)
        return sums

    @property
    def dot_product(self) -> float:
        """The number q·k."""
        return float(self.running_sum[-1])

    @property
    def score(self) -> float:
        """The score before softmax; −∞ where the mask forbids this key."""
        return float(self.row.scores[self.key])

    @property
    def weight(self) -> float:
        """The attention weight α of this cell."""
        return float(self.row.pattern[self.key])

    @property
    def is_allowed(self) -> bool:
        """Whether the mask lets the query look at this key."""
        return bool(self.row.allowed[self.key])

    @property
    def weighed(self) -> Float32[np.ndarray, " d_value"]:
        """The value times the weight: α v."""
        weighed: Float32[np.ndarray, " d_value"] = self.row.pattern[self.key] * self.v
        return weighed

    @property
    def contribution_norms(self) -> Float32[np.ndarray, " key"]:
        """‖α v W_O‖ for every key."""
        norms: Float32[np.ndarray, " key"] = np.linalg.norm(self.row.contributions, axis=1)
        return norms

    @property
    def contribution(self) -> Float32[np.ndarray, " d_model"]:
        """α v W_O of this key."""
        contribution: Float32[np.ndarray, " d_model"] = self.row.contributions[self.key]
        return contribution

    @property
    def share(self) -> float:
        """The cell's share of the output, along the output's direction; 0 for a zero output.

        The shares of all keys and heads, and of what the encoding adds, come to 1.
        """
        length = float(self.output @ self.output)
        return float(self.contribution @ self.output) / length if length else 0.0

    @property
    def is_faithful(self) -> bool:
        """Whether these steps give what the model recorded, but for rounding."""
        return self.difference < _CLOSE

    def strongest_keys(self, most: int) -> list[int]:
        """Return the ``most`` keys with the largest weights and this one, in their order in the text."""
        strongest = np.argsort(-self.row.pattern, kind="stable")[:most].tolist()
        return sorted({*strongest, self.key})

    def largest_products(self, most: int) -> list[int]:
        """Return the ``most`` dimensions with the largest products, either sign, the largest first."""
        dimensions: list[int] = np.argsort(-np.abs(self.products), kind="stable")[:most].tolist()
        return dimensions
