"""CoPE: each query chooses the keys that a position counts (Golovneva et al. 2024)."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.positional.base import Description, Parameter, PositionalEncoding, Properties, QueryKey, StackSpec, distances
from model.positional.registry import register


def contextual_counts(
    gates: Float[Tensor, "batch head query key"], distance: Int[Tensor, "query key"]
) -> Float[Tensor, "batch head query key"]:
    """Return p_ij = Σ g_ik over the keys k from j to i, both included (equation 4).

    The paper is causal. For keys after the query the count runs from i to j; the two directions give the same count.
    """
    behind = gates.masked_fill(distance < 0, 0)  # [B, H, Q, K]
    ahead = gates.masked_fill(distance > 0, 0)  # [B, H, Q, K]
    back_to_query = behind.flip(-1).cumsum(-1).flip(-1)
    return torch.where(distance < 0, ahead.cumsum(-1), back_to_query)


def interpolated_logits(
    by_count: Float[Tensor, "batch head query count"], counts: Float[Tensor, "batch head query key"]
) -> Float[Tensor, "batch head query key"]:
    """Return q·e[p] at fractional counts p, interpolated between whole counts (equation 5)."""
    last = by_count.shape[-1] - 1
    counts = counts.clamp(max=last)
    low = counts.floor().long()
    high = counts.ceil().long()
    share = counts - low  # [B, H, Q, K]
    return by_count.gather(-1, high) * share + by_count.gather(-1, low) * (1 - share)


@register
class CoPE(PositionalEncoding):
    """Measure how far back a key is by the sum of gates σ(q·k) in between, and add q·e at that count.

    It counts by the order of the tokens, whatever their positions are. As in the authors' code, the gates use scaled
    scores; q·e is not scaled.
    """

    description = Description(
        name="cope",
        title="CoPE",
        explanation=(
            "CoPE counts only some of the tokens between query and key, such as the ends of words: "
            "learned gates decide which. This count takes the place of the distance."
        ),
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
        note="The division by √d inside the gate σ is that of the authors' code; the paper has σ(q·k).",
    )
    per_layer = True

    def __init__(self, stack: StackSpec, max_count: int = 64) -> None:
        """Make a zero vector for each whole count, as in the authors' code.

        Heads share them, layers do not.
        """
        super().__init__()
        self.table = nn.Parameter(torch.zeros(max_count, stack.d_key))

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "batch head query key"]:
        """Return q·e at the count of each key."""
        scores = qk.q @ qk.k.transpose(-2, -1) / math.sqrt(qk.q.shape[-1])  # [B, H, Q, K]
        # bfloat16 cannot count past 256.
        gates = scores.to(torch.promote_types(scores.dtype, torch.float32)).sigmoid()
        n_queries, n_keys = scores.shape[-2:]
        places = torch.arange(n_keys, device=scores.device)
        counts = contextual_counts(gates, distances(places[n_keys - n_queries :], places))
        return interpolated_logits((qk.q @ self.table.T).to(counts.dtype), counts)
