"""FoX, the forgetting gate: how fast a head forgets depends on the tokens (Lin et al. 2025)."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from model.positional.base import Description, PositionalEncoding, Properties, QueryKey, StackSpec
from model.positional.registry import register


def forgetting_bias(
    log_gates: Float[Tensor, "batch head key"], n_queries: int
) -> Float[Tensor, "batch head query key"]:
    """Return Σ ln f_l over l = j + 1 … i (equation 6) for the last ``n_queries`` of the keys.

    The paper is causal. For keys after the query the sum runs from i + 1 to j.
    """
    total = log_gates.cumsum(-1)  # [B, H, K]
    return -(total[..., total.shape[-1] - n_queries :, None] - total[..., None, :]).abs()


@register
class FoX(PositionalEncoding):
    """Lower a score by the gates of all tokens between key and query: ALiBi with slopes by token.

    The paper computes the gates from the layer's input x. Here they read the keys of all heads, W_K x. The paper's gate
    w·x is such a gate too wherever W_K is square and invertible, and a cache already holds the keys. Of the positions
    only the order counts.
    """

    description = Description(
        name="fox",
        title="FoX",
        explanation=(
            "FoX has a learned gate at each token, which says how much of what came before is "
            "forgotten. A score is lowered by all gates between key and query."
        ),
        paper="Lin et al. 2025, §3, arXiv:2503.02130",
        year=2025,
        formula=(
            r"s_{ij} = \frac{q_i^{\top} k_j}{\sqrt{d}} + \sum_{l=j+1}^{i} \ln f_l, \quad "
            r"f_l = \sigma(w^{\top} k_l + b)"
        ),
        properties=Properties(
            kind="relative",
            acts_on=("scores",),
            learned=True,
            decay="unbounded",
            extrapolates="yes",
            tells_direction=False,
            published_for="causal",
            takes_positions=False,
        ),
        note="Here the gate f reads the keys, W_K x; in the paper it reads x, the layer's input.",
    )
    per_layer = True

    def __init__(self, stack: StackSpec) -> None:
        """Make the gate of each head: a linear map of the keys of all heads, with a bias that starts at zero."""
        super().__init__()
        self.gate = nn.Linear(stack.n_heads * stack.d_key, stack.n_heads)
        nn.init.zeros_(self.gate.bias)

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "batch head query key"]:
        """Return the sum of the log gates between each query and key."""
        logits = self.gate(qk.k.transpose(1, 2).flatten(2)).transpose(1, 2)  # [B, H, K]
        # bfloat16 sums of many gates would lose the nearest ones.
        log_gates = F.logsigmoid(logits.to(torch.promote_types(logits.dtype, torch.float32)))
        return forgetting_bias(log_gates, qk.q.shape[-2])
