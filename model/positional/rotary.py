"""Rotary position embedding, RoPE (Su et al. 2021), and the base class of its stretched variants."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.positional.angles import geometric_frequencies, sines_and_cosines
from model.positional.base import Description, Parameter, PositionalEncoding, Properties, QueryKey, StackSpec
from model.positional.registry import register

BASE = Parameter("base", 10000.0, 1.0, 1e6, "b in the wavelengths 2π·b^(2i/d)", logarithmic=True, open_below=True)
SHARE = Parameter("share", 1.0, 0.25, 1.0, "share of d_head that is rotated; the rest carries no position")
FACTOR = Parameter("factor", 4.0, 1.0, 128.0, "length wanted over length trained", logarithmic=True)


def rotate(
    x: Float[Tensor, "batch head position d_key"],
    positions: Int[Tensor, " position"],
    frequencies: Float[Tensor, " pair"],
    amplitude: float | Float[Tensor, "position pair"] = 1.0,
) -> Float[Tensor, "batch head position d_key"]:
    """Rotate dimensions (2i, 2i + 1) of ``x`` by p·θ_i (equation 34), and scale by ``amplitude``.

    Pairs are neighbours, as in the paper; Llama pairs i with i + d/2, which only reorders the dimensions. Dimensions
    past the last pair are unchanged.
    """
    n_rotated = 2 * len(frequencies)
    precise = torch.promote_types(x.dtype, torch.float32)  # bfloat16 angles would blur neighbouring positions
    sines, cosines = sines_and_cosines(positions, frequencies, precise)  # [P, pair]
    sines, cosines = sines * amplitude, cosines * amplitude
    first, second = x[..., 0:n_rotated:2], x[..., 1:n_rotated:2]  # [B, H, P, pair]
    rotated = torch.stack((first * cosines - second * sines, first * sines + second * cosines), dim=-1)
    return torch.cat((rotated.flatten(-2).to(x.dtype), x[..., n_rotated:]), dim=-1)  # [B, H, P, E]


def rotated_dimensions(d_key: int, share: float = 1.0) -> int:
    """Return how many of ``d_key`` dimensions a ``share`` of them rotates: an even number.

    Raises:
        ValueError: there is no pair to rotate.
    """
    n_rotated = 2 * int(d_key * share / 2)
    if n_rotated < 2:
        raise ValueError(
            f"a share of {share:g} of d_key = {d_key} holds no pair of dimensions to rotate; it takes two at least"
        )
    return n_rotated


@register
class RotaryEncoding(PositionalEncoding):
    """Rotate each pair of query and key dimensions by an angle that grows with the position.

    q·k then depends on the distance alone (equation 16). A stretched variant overrides :meth:`frequencies`.
    """

    description = Description(
        name="rotary",
        title="Rotary",
        explanation=(
            "Rotary positions (RoPE) turn queries and keys by an angle that grows with their position. "
            "A score then depends on the distance between the two."
        ),
        other_names=("RoPE", "Rotary"),
        used_in=("RoFormer", "Llama", "Mistral", "Qwen"),
        paper="Su et al. 2021, §3.2, arXiv:2104.09864",
        year=2021,
        formula=(
            r"q'_m = R_m q_m,\; k'_n = R_n k_n,\; q_m'^{\top} k'_n = q_m^{\top} R_{n-m} k_n, \quad "
            r"R_m = \bigoplus_i \begin{pmatrix} \cos m\theta_i & -\sin m\theta_i \\ "
            r"\sin m\theta_i & \cos m\theta_i \end{pmatrix},\; \theta_i = b^{-2i/d}"
        ),
        properties=Properties(
            kind="relative",
            acts_on=("queries and keys",),
            learned=False,
            decay="bounded",
            extrapolates="no",
            tells_direction=True,
        ),
        parameters=(BASE, SHARE),
    )

    amplitude: float = 1.0
    """The factor of rotated queries and keys; YaRN's temperature."""

    def __init__(self, stack: StackSpec, base: float = 10000.0, share: float = 1.0) -> None:
        """Keep ``base``, and rotate the first ``share`` of the dimensions of each head.

        Raises:
            ValueError: too few dimensions to rotate a pair.
        """
        super().__init__()
        self.base = base
        self.n_rotated = rotated_dimensions(stack.d_key, share)

    def frequencies(self) -> Float[Tensor, " pair"]:
        """Return the angle per position of each pair, in radians, in float64."""
        return geometric_frequencies(self.n_rotated, self.base)

    def transform_query_key(
        self, qk: QueryKey
    ) -> tuple[Float[Tensor, "batch head query d_key"], Float[Tensor, "batch head key d_key"]]:
        """Return queries and keys, each rotated by its own position."""
        frequencies = self.frequencies()
        return (
            rotate(qk.q, qk.query_positions, frequencies, self.amplitude),
            rotate(qk.k, qk.key_positions, frequencies, self.amplitude),
        )
