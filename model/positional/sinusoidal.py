"""Sinusoidal absolute encoding (Vaswani et al. 2017, §3.5)."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.positional.angles import geometric_frequencies, sines_and_cosines
from model.positional.base import Description, Parameter, PositionalEncoding, Properties, StackSpec
from model.positional.registry import register


def sinusoidal_encoding(
    positions: Int[Tensor, " position"], d_model: int, base: float = 10000.0
) -> Float[Tensor, "position d_model"]:
    """Return PE(p, 2i) = sin(p / base^{2i/d_model}) and PE(p, 2i + 1) = cos of the same angle, in float32.

    Raises:
        EncodingError: ``d_model`` is not even and positive.
        ValueError: ``base`` is not above 1.
    """
    sines, cosines = sines_and_cosines(positions, geometric_frequencies(d_model, base))  # [P, D / 2]
    return torch.stack((sines, cosines), dim=-1).flatten(1)  # [P, D]


@register
class SinusoidalEncoding(PositionalEncoding):
    """Add sines and cosines of geometrically growing wavelengths, 2π·base^{2i/d_model}, to the embeddings."""

    description = Description(
        name="sinusoidal",
        title="Sinusoidal",
        explanation=(
            "Sinusoidal positions add to each embedding a fixed code made of sines and cosines of many "
            "wavelengths, as in the first Transformer."
        ),
        used_in=("Transformer", "Marian", "M2M-100", "NLLB"),
        paper="Vaswani et al. 2017, §3.5, arXiv:1706.03762",
        year=2017,
        formula=(
            r"PE_{(p,2i)} = \sin\!\left(p / b^{2i/d_{model}}\right), \quad "
            r"PE_{(p,2i+1)} = \cos\!\left(p / b^{2i/d_{model}}\right)"
        ),
        properties=Properties(
            kind="absolute",
            acts_on=("embeddings",),
            learned=False,
            decay="bounded",
            extrapolates="no",
            tells_direction=True,
            memory=False,
        ),
        parameters=(
            Parameter("base", 10000.0, 1.0, 1e6, "b in the wavelengths 2π·b^(2i/d)", logarithmic=True, open_below=True),
        ),
    )

    def __init__(self, stack: StackSpec, base: float = 10000.0) -> None:
        """Keep ``base``, the 10000 of the paper.

        Raises:
            EncodingError: an odd d_model.
        """
        super().__init__()
        geometric_frequencies(stack.d_model, base)
        self.d_model = stack.d_model
        self.base = base

    def additive_encoding(self, positions: Int[Tensor, " position"]) -> Float[Tensor, "position d_model"]:
        """Return the encoding of each position, in float32."""
        return sinusoidal_encoding(positions, self.d_model, self.base)
