"""KERPLE in its logarithmic form: a learned kernel of the distance (Chi et al. 2022)."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.positional.base import Description, PositionalEncoding, Properties, QueryKey, StackSpec
from model.positional.registry import register


def kerple_log_bias(
    distance: Int[Tensor, "query key"], r1: Float[Tensor, " head"], r2: Float[Tensor, " head"]
) -> Float[Tensor, "1 head query key"]:
    """Return −r₁ log(1 + r₂|i − j|) (equation 8)."""
    far = r2[None, :, None, None] * distance.abs().float()  # [1, H, Q, K]
    return -r1[None, :, None, None] * torch.log1p(far)


@register
class KerpleLog(PositionalEncoding):
    """Lower scores with the logarithm of the distance; each head of each layer learns both factors.

    The paper is causal. In bidirectional attention, keys after the query are lowered like those before it.
    """

    description = Description(
        name="kerple",
        title="KERPLE (log)",
        explanation=(
            "KERPLE lowers each score with the logarithm of the distance: fast at first, hardly any "
            "more far away. Every head learns how fast."
        ),
        other_names=("KERPLE",),
        paper="Chi et al. 2022, §4, arXiv:2205.09921",
        year=2022,
        formula=r"s_{ij} = \frac{q_i^{\top} k_j}{\sqrt{d}} - r_1 \log(1 + r_2\,|i-j|), \quad r_1, r_2 > 0",
        properties=Properties(
            kind="relative",
            acts_on=("scores",),
            learned=True,
            decay="unbounded",
            extrapolates="yes",
            tells_direction=False,
            published_for="causal",
        ),
    )
    per_layer = True

    def __init__(self, stack: StackSpec) -> None:
        """Draw r₁ from (0, 2) and r₂ from (0, 1), as the authors do.

        Their logarithms are learned, which keeps them positive; the authors clamp them at 0.01 instead.
        """
        super().__init__()
        smallest = 0.01
        r1 = 2 * torch.rand(stack.n_heads)
        r2 = torch.rand(stack.n_heads)
        self.log_r1 = nn.Parameter(r1.clamp(min=smallest).log())
        self.log_r2 = nn.Parameter(r2.clamp(min=smallest).log())

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "1 head query key"]:
        """Return the kernel of each distance."""
        return kerple_log_bias(qk.distances(), self.log_r1.exp(), self.log_r2.exp())
