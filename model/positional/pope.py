"""PoPE: a dimension's size says what, its angle says where (Gopalakrishnan et al. 2025)."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.positional.angles import geometric_frequencies, sines_and_cosines
from model.positional.base import Description, Parameter, PositionalEncoding, Properties, QueryKey, StackSpec
from model.positional.registry import register


def polar(
    x: Float[Tensor, "batch head position d_key"],
    positions: Int[Tensor, " position"],
    frequencies: Float[Tensor, " d_key"],
    phases: Float[Tensor, "head d_key"] | None = None,
) -> Float[Tensor, "batch head position d_product"]:
    """Return lengths softplus(x_c) and angles p·θ_c + δ_c as Cartesian coordinates, 2·d_key wide.

    Each of q and k carries a factor 2^¼: q·k over √(2·d_key) is then the paper's sum over √d_key.
    """
    precise = torch.promote_types(x.dtype, torch.float32)
    sines, cosines = sines_and_cosines(positions, frequencies, precise)  # [P, E]
    if phases is not None:
        turn_sines, turn_cosines = phases[:, None].to(precise).sin(), phases[:, None].to(precise).cos()  # [H, 1, E]
        sines, cosines = (
            sines * turn_cosines + cosines * turn_sines,
            cosines * turn_cosines - sines * turn_sines,
        )  # [H, P, E]
    length = 2**0.25 * F.softplus(x.to(precise))
    return torch.stack((length * cosines, length * sines), dim=-1).flatten(-2).to(x.dtype)  # [B, H, P, 2E]


@register
class PoPE(PositionalEncoding):
    """Let content give each dimension its size, and position its angle.

    Every dimension has a frequency of its own, where rotary has one for each pair.
    """

    description = Description(
        name="pope",
        title="PoPE",
        explanation=(
            "PoPE gives each dimension a size and an angle: the size says what a token is, the angle "
            "alone says where it stands."
        ),
        paper="Gopalakrishnan et al. 2025, §3, arXiv:2509.10534",
        year=2025,
        formula=(
            r"s_{ij} = \frac{1}{\sqrt{d}} \sum_{c} \operatorname{softplus}(q_{ic}) \operatorname{softplus}(k_{jc}) "
            r"\cos\big((j-i)\,\theta_c + \delta_c\big), \quad \theta_c = b^{-c/d},\; \delta_c \in [-2\pi, 0]"
        ),
        properties=Properties(
            kind="relative",
            acts_on=("queries and keys",),
            learned=True,
            decay="bounded",
            extrapolates="no",
            tells_direction=True,
            published_for="causal",
        ),
        parameters=(
            Parameter("base", 10000.0, 1.0, 1e6, "b in the wavelengths 2π·b^(c/d)", logarithmic=True, open_below=True),
        ),
    )
    per_layer = True
    is_linear = False

    def __init__(self, stack: StackSpec, base: float = 10000.0) -> None:
        """Keep ``base``; the angles δ of each head start at zero, which extrapolates best in the paper."""
        super().__init__()
        self.base = base
        self.delta = nn.Parameter(torch.zeros(stack.n_heads, stack.d_key))

    def transform_query_key(
        self, qk: QueryKey
    ) -> tuple[Float[Tensor, "batch head query d_product"], Float[Tensor, "batch head key d_product"]]:
        """Return queries and keys in Cartesian coordinates, two a dimension; δ, clamped, turns the keys."""
        frequencies = geometric_frequencies(2 * qk.q.shape[-1], self.base)  # b^(−c/d)
        phases = self.delta.clamp(-2 * math.pi, 0)
        return (
            polar(qk.q, qk.query_positions, frequencies),
            polar(qk.k, qk.key_positions, frequencies, phases),
        )
