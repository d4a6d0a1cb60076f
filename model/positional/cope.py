"""CoPE, contextual position encoding: positions that count only what a query cares about (Golovneva et al. 2024)."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.positional.base import Description, Parameter, PositionalEncoding, Properties, Surroundings, distances
from model.positional.registry import register


def contextual_counts(
    gates: Float[Tensor, "batch head query key"], distance: Int[Tensor, "query key"]
) -> Float[Tensor, "batch head query key"]:
    """Return p_ij = Σ g_ik over the keys k from j to i, both included (equation 4).

    The paper is causal. For keys ahead the count runs from i to j in the same way; the two sides are not told apart.
    """
    behind = gates.masked_fill(distance < 0, 0)  # [B, H, Q, K]
    ahead = gates.masked_fill(distance > 0, 0)  # [B, H, Q, K]
    back_to_query = behind.flip(-1).cumsum(-1).flip(-1)
    return torch.where(distance < 0, ahead.cumsum(-1), back_to_query)


def interpolated_logits(
    by_count: Float[Tensor, "batch head query count"], counts: Float[Tensor, "batch head query key"]
) -> Float[Tensor, "batch head query key"]:
    """Return q·e[p] at fractional counts p, between those of the whole numbers around (equation 5)."""
    last = by_count.shape[-1] - 1
    counts = counts.clamp(max=last)
    low = counts.floor().long()
    high = counts.ceil().long()
    share = counts - low  # [B, H, Q, K]
    return by_count.gather(-1, high) * share + by_count.gather(-1, low) * (1 - share)


@register
class CoPE(PositionalEncoding):
    """Measure how far back a key is by the sum of gates σ(q·k) in between, and add q·e at that count.

    Which key comes before which is all it takes from positions. As in the authors' code, gates open by the scaled
    scores, and q·e is not scaled.
    """

    description = Description(
        name="cope",
        title="CoPE",
        paper="Golovneva et al. 2024, §4, arXiv:2405.18719",
        year=2024,
        formula=(
            r"s_{ij} = \frac{q_i^{\top} k_j}{\sqrt{d}} + q_i^{\top} e[p_{ij}], \quad "
            r"p_{ij} = \sum_{k=j}^{i} \sigma\!\left(\frac{q_i^{\top} k_k}{\sqrt{d}}\right)"
        ),
        properties=Properties(
            kind="relative",
            acts_on=("scores",),
            learned=True,
            decay="bounded",
            extrapolates="yes",
            tells_direction=False,
            published_for="causal",
            takes_positions=False,
        ),
        parameters=(Parameter("max_count", 64, 2, 4096, "counts that have a vector", integer=True, logarithmic=True),),
    )
    per_layer = True

    def __init__(self, surroundings: Surroundings, max_count: int = 64) -> None:
        """Make one vector for each whole count, at zero as the authors do; heads share them, layers do not."""
        super().__init__()
        self.table = nn.Parameter(torch.zeros(max_count, surroundings.d_key))

    def score_bias(
        self,
        q: Float[Tensor, "batch head query d_key"],
        k: Float[Tensor, "batch head key d_key"],
        query_positions: Int[Tensor, " query"],
        key_positions: Int[Tensor, " key"],
    ) -> Float[Tensor, "batch head query key"]:
        """Return q·e at the count of each key."""
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [B, H, Q, K]
        # bfloat16 cannot count past 256.
        gates = scores.to(torch.promote_types(scores.dtype, torch.float32)).sigmoid()
        counts = contextual_counts(gates, distances(query_positions, key_positions))
        return interpolated_logits((q @ self.table.T).to(counts.dtype), counts)
