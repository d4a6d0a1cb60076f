"""ALiBi, attention with linear biases (Press et al. 2021)."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.positional.base import Description, PositionalEncoding, Properties, Surroundings, distances
from model.positional.registry import register


def alibi_slopes(n_heads: int) -> Float[Tensor, " head"]:
    """Return 2^{−8h/H} for heads h = 1 … H (§3).

    Where H is no power of two, the slopes of the power below it come first, then every second slope of the one above,
    as in the authors' code.
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

    The paper is causal. In bidirectional attention keys ahead are lowered as those behind.
    """

    description = Description(
        name="alibi",
        title="ALiBi",
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
    )

    slopes: Tensor

    def __init__(self, surroundings: Surroundings) -> None:
        """Keep one slope a head."""
        super().__init__()
        self.register_buffer("slopes", alibi_slopes(surroundings.n_heads), persistent=False)

    def score_bias(
        self,
        q: Float[Tensor, "batch head query d_key"],
        k: Float[Tensor, "batch head key d_key"],
        query_positions: Int[Tensor, " query"],
        key_positions: Int[Tensor, " key"],
    ) -> Float[Tensor, "1 head query key"]:
        """Return the slope times the distance, below zero."""
        del q, k
        # The slopes are powers of two, mostly, but a bfloat16 distance beyond 256 would be rounded.
        return alibi_bias(distances(query_positions, key_positions), self.slopes.float())
