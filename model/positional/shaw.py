"""Relative position representations for keys and values (Shaw et al. 2018)."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.positional.base import Description, Parameter, PositionalEncoding, Properties, QueryKey, StackSpec
from model.positional.registry import register


def clipped_offsets(distance: Int[Tensor, "query key"], clip: int) -> Int[Tensor, "query key"]:
    """Return clip(j − i, −k, k) + k: the row of the tables for each distance i − j (§3.2)."""
    return (-distance).clamp(-clip, clip) + clip


def shaw_key_bias(
    q: Float[Tensor, "batch head query d_key"],
    table: Float[Tensor, "offset d_key"],
    offsets: Int[Tensor, "query key"],
) -> Float[Tensor, "batch head query key"]:
    """Return q_i·a^K_{ij} / √d_key (equation 4, its second term)."""
    by_offset = q @ table.T / math.sqrt(q.shape[-1])  # [B, H, Q, 2k + 1]
    return by_offset.gather(-1, offsets.expand(*q.shape[:2], -1, -1))  # [B, H, Q, K]


def shaw_values(
    pattern: Float[Tensor, "batch head query key"],
    table: Float[Tensor, "offset d_value"],
    offsets: Int[Tensor, "query key"],
) -> Float[Tensor, "batch head query d_value"]:
    """Return Σ_j α_ij a^V_{ij} (equation 3, second term); weights of equal offsets are summed first."""
    by_offset = pattern.new_zeros(*pattern.shape[:3], len(table))  # [B, H, Q, 2k + 1]
    by_offset = by_offset.scatter_add(-1, offsets.expand_as(pattern), pattern)
    return by_offset @ table  # [B, H, Q, E]


@register
class ShawEncoding(PositionalEncoding):
    """Add a learned vector for the clipped distance to each key and value.

    Heads share it, layers do not.
    """

    description = Description(
        name="shaw",
        title="Relative (Shaw)",
        explanation=(
            "Shaw's relative positions add a learned vector to each key and to each value, one for each "
            "distance. Distances beyond a limit share one."
        ),
        paper="Shaw et al. 2018, §3, arXiv:1803.02155",
        year=2018,
        formula=(
            r"s_{ij} = \frac{q_i^{\top} (k_j + a^K_{ij})}{\sqrt{d}},\; z_i = \sum_j \alpha_{ij} (v_j + a^V_{ij}), "
            r"\quad a_{ij} = w_{\mathrm{clip}(j-i,\,-k,\,k)}"
        ),
        properties=Properties(
            kind="relative",
            acts_on=("scores", "values"),
            learned=True,
            decay="bounded",
            extrapolates="yes",
            tells_direction=True,
        ),
        parameters=(
            Parameter("clip", 16, 1, 1024, "distance from which on all are alike", integer=True, logarithmic=True),
        ),
        note=(
            "The heads of a layer share these vectors, as in the paper's big model; in its base model each head has its"
            " own."
        ),
    )
    per_layer = True
    changes_product = True

    def __init__(self, stack: StackSpec, clip: int = 16) -> None:
        """Make both tables, with a row for each offset from −``clip`` to ``clip``."""
        super().__init__()
        self.clip = clip
        self.key_table = nn.Parameter(torch.empty(2 * clip + 1, stack.d_key))
        self.value_table = nn.Parameter(torch.empty(2 * clip + 1, stack.d_value))
        nn.init.xavier_uniform_(self.key_table)
        nn.init.xavier_uniform_(self.value_table)

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "batch head query key"]:
        """Return the term of the scores that comes from the vectors added to the keys."""
        return shaw_key_bias(qk.q, self.key_table, clipped_offsets(qk.distances(), self.clip))

    def add_to_values(
        self, pattern: Float[Tensor, "batch head query key"], qk: QueryKey
    ) -> Float[Tensor, "batch head query d_value"]:
        """Return the term of each head's output that comes from the vectors added to the values."""
        offsets = clipped_offsets(qk.distances(), self.clip)
        return shaw_values(pattern, self.value_table, offsets)
