"""Sinusoidal absolute encoding (Vaswani et al. 2017, §3.5)."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.positional.base import Description, Parameter, PositionalEncoding, Surroundings
from model.positional.registry import register


def sinusoidal_encoding(
    positions: Int[Tensor, " position"], d_model: int, base: float = 10000.0
) -> Float[Tensor, "position d_model"]:
    """Return PE(p, 2i) = sin(p / base^{2i/d_model}) and PE(p, 2i + 1) = cos of the same angle.

    Angles are taken in float64, so that late positions keep their phase; the result is float32.

    Raises:
        ValueError: ``d_model`` is not even and positive, or ``base`` is not above 1.
    """
    _check_even(d_model)
    if not base > 1:
        raise ValueError(f"base is {base:g}; wavelengths grow with the dimension only for a base above 1")
    pair = torch.arange(0, d_model, 2, dtype=torch.float64, device=positions.device)
    angles = positions.double()[:, None] * base ** (-pair / d_model)  # [P, D / 2]
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).float()  # [P, D]


@register
class SinusoidalEncoding(PositionalEncoding):
    """Add sines and cosines of geometrically growing wavelengths, 2π to base·2π, to the embeddings."""

    description = Description(
        name="sinusoidal",
        title="Sinusoidal",
        paper="Vaswani et al. 2017, §3.5, arXiv:1706.03762",
        year=2017,
        formula=(
            r"PE_{(p,2i)} = \sin\!\left(p / b^{2i/d_{model}}\right), \quad "
            r"PE_{(p,2i+1)} = \cos\!\left(p / b^{2i/d_{model}}\right)"
        ),
        parameters=(
            Parameter("base", 10000.0, 1.0, 1e6, "longest wavelength over 2π", logarithmic=True, open_below=True),
        ),
    )

    def __init__(self, surroundings: Surroundings, base: float = 10000.0) -> None:
        """Keep ``base``, the 10000 of the paper; raises ValueError where ``d_model`` is odd."""
        super().__init__()
        _check_even(surroundings.d_model)
        self.d_model = surroundings.d_model
        self.base = base

    def encoding(self, positions: Int[Tensor, " position"]) -> Float[Tensor, "position d_model"]:
        """Return the encoding of each position, in float32."""
        return sinusoidal_encoding(positions, self.d_model, self.base)


def _check_even(d_model: int) -> None:
    if d_model < 2 or d_model % 2:
        raise ValueError(f"d_model is {d_model}; sines and cosines come in pairs, so it must be even and at least 2")
