"""ALiBi, attention with linear biases (Press et al. 2021)."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.positional.base import Description, PositionalEncoding, Properties, QueryKey, StackSpec
from model.positional.registry import register


def alibi_slopes(n_heads: int) -> Float[Tensor, " head"]:
    """Return 2^{−8h/H} for heads h = 1 … H (§3).

    If H is not a power of two, the slopes of the power below it come first, then every second slope of the power above
    it, as in the authors' code.
    """
    power = 2 ** math.floor(math.log2(n_heads))
    slopes = [2 ** (-8 * head / power) for head in range(1, power + 1)]
    between = [2 ** (-8 * head / (2 * power)) for head in range(1, 2 * power + 1, 2)]
    return torch.tensor(slopes + between[: n_heads - power])


def alibi_bias(distance: Int[Tensor, "query key"], slopes: Float[Tensor, " head"]) -> Float[Tensor, "1 head query key"]:
    """Return −m_h·|i − j|."""
    return -slopes[None, :, None, None] * distance.abs()  # [1, H, Q, K]


@register
class ALiBi(PositionalEncoding):
    """Lower every score in proportion to the distance, by a slope that is fixed for each head.

    The paper is causal. In bidirectional attention, keys after the query are lowered like those before it.
    """

    description = Description(
        name="alibi",
        title="ALiBi",
        explanation=(
            "ALiBi lowers each score in proportion to the distance between query and key. Every head "
            "has a slope of its own, and nothing is learned."
        ),
        used_in=("BLOOM", "MPT"),
        paper="Press et al. 2021, §3, arXiv:2108.12409",
        year=2021,
        formula=r"s_{ij} = \frac{q_i^{\top} k_j}{\sqrt{d}} - m_h\,|i-j|, \quad m_h = 2^{-8h/H}",
        properties=Properties(
            kind="relative",
            acts_on=("scores",),
            learned=False,
            decay="unbounded",
            extrapolates="yes",
            tells_direction=False,
            published_for="causal",
        ),
        note=(
            "This slope is for H a power of two. For other H, the slopes of the power below come first, then every "
            "second slope of the power above, as in the authors' code."
        ),
    )

    slopes: Tensor

    def __init__(self, stack: StackSpec) -> None:
        """Keep one slope per head."""
        super().__init__()
        self.register_buffer("slopes", alibi_slopes(stack.n_heads), persistent=False)

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "1 head query key"]:
        """Return minus the slope times the distance."""
        return alibi_bias(qk.distances(), self.slopes)
