"""Rotary with position interpolation: long inputs at trained positions (Chen et al. 2023)."""

from dataclasses import replace

from jaxtyping import Float
from torch import Tensor

from model.positional.base import Description, StackSpec
from model.positional.registry import register
from model.positional.rotary import BASE, FACTOR, SHARE, RotaryEncoding


def interpolated_frequencies(frequencies: Float[Tensor, " pair"], factor: float) -> Float[Tensor, " pair"]:
    """Return θ_i / s: rotating position p by it equals rotating p / s by θ_i (§2.3, equation 4)."""
    return frequencies / factor


@register
class RotaryInterpolation(RotaryEncoding):
    """Divide every position by ``factor`` before the rotation, so that no angle exceeds the trained ones."""

    description = Description(
        name="rotary_interpolation",
        title="Rotary, interpolated (PI)",
        explanation=(
            "Position interpolation (PI) stretches a trained rotary encoding: it squeezes the positions "
            "of a longer text into the range of the trained ones."
        ),
        paper="Chen et al. 2023, §2.3, arXiv:2306.15595",
        year=2023,
        formula=r"q'_m = R_{m/s}\, q_m, \quad \theta'_i = b^{-2i/d} / s",
        properties=replace(RotaryEncoding.description.properties, extrapolates="by a factor", published_for="causal"),
        parameters=(BASE, SHARE, FACTOR),
    )

    def __init__(self, stack: StackSpec, base: float = 10000.0, share: float = 1.0, factor: float = 4.0) -> None:
        """Keep ``factor``, the s of the formula: the target length over the trained length."""
        super().__init__(stack, base, share)
        self.factor = factor

    def frequencies(self) -> Float[Tensor, " pair"]:
        """Return the frequencies, each divided by the factor."""
        return interpolated_frequencies(super().frequencies(), self.factor)
