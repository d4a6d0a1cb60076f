"""FoX, the forgetting gate: how fast a head forgets depends on the tokens (Lin et al. 2025)."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from model.positional.base import Description, Parameter, PositionalEncoding, Properties, QueryKey, StackSpec
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

    The paper computes the gates from the layer's input x, as ``reads_input`` does here. Otherwise they read the keys of
    all heads, W_K x. The paper's gate w·x is such a gate too wherever W_K is square and invertible, and a cache already
    holds the keys. Of the positions only the order counts.
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
        parameters=(Parameter("reads_input", 0, 0, 1, "1: gates of the layer's input, as published", integer=True),),
        note=(
            "Here the gate f reads the keys, W_K x; in the paper, and here if reads_input is 1, it reads x, the "
            "layer's input."
        ),
    )
    per_layer = True

    def __init__(self, stack: StackSpec, reads_input: int = 0) -> None:
        """Make the gate of each head: a linear map with a bias that starts at zero.

        It reads the keys of all heads, or the layer's input where ``reads_input`` is 1.
        """
        super().__init__()
        self.reads_input = bool(reads_input)
        self.gate = nn.Linear(stack.d_model if reads_input else stack.n_heads * stack.d_key, stack.n_heads)
        nn.init.zeros_(self.gate.bias)

    def key_state(self, x: Float[Tensor, "batch position d_model"]) -> Float[Tensor, "batch position head"] | None:
        """Return the logits of the gates where they read the layer's input."""
        return self.gate(x) if self.reads_input else None

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "batch head query key"]:
        """Return the sum of the log gates between each query and key."""
        read = qk.key_state if self.reads_input else self.gate(qk.k.transpose(1, 2).flatten(2))
        assert read is not None
        logits = read.transpose(1, 2)  # [B, H, K]
        # bfloat16 sums of many gates would lose the nearest ones.
        log_gates = F.logsigmoid(logits.to(torch.promote_types(logits.dtype, torch.float32)))
        return forgetting_bias(log_gates, qk.q.shape[-2])
