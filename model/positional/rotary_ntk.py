"""Rotary with an NTK-aware base (bloc97 2023): interpolate the slow pairs, keep the fast ones."""

from dataclasses import replace

from jaxtyping import Float
from torch import Tensor

from model.positional.angles import geometric_frequencies
from model.positional.base import Description, StackSpec
from model.positional.registry import register
from model.positional.rotary import BASE, FACTOR, SHARE, RotaryEncoding


def ntk_aware_base(base: float, factor: float, n_rotated: int) -> float:
    """Return base·s^{d/(d−2)} (YaRN, equation 16).

    The slowest pair becomes s times as slow, the fastest stays.

    Raises:
        ValueError: fewer than four dimensions, which have no separate fastest and slowest pair.
    """
    if n_rotated <= 2:
        raise ValueError(
            f"{n_rotated} dimensions are rotated; the NTK-aware base keeps the fastest pair and stretches the slowest, "
            "so it takes at least 4"
        )
    stretched: float = base * factor ** (n_rotated / (n_rotated - 2))
    return stretched


@register
class RotaryNTK(RotaryEncoding):
    """Raise the base so that only slow pairs are interpolated; no fine-tuning is needed."""

    description = Description(
        name="rotary_ntk",
        title="Rotary, NTK-aware",
        explanation=(
            "NTK-aware scaling stretches a trained rotary encoding for longer texts: it slows down the "
            "slow turns and hardly changes the fast ones."
        ),
        paper="bloc97 2023; Peng et al. 2023, §3.1, arXiv:2309.00071",
        year=2023,
        formula=r"b' = b \cdot s^{d/(d-2)}, \quad \theta'_i = b'^{-2i/d}",
        properties=replace(RotaryEncoding.description.properties, extrapolates="by a factor", published_for="causal"),
        parameters=(BASE, SHARE, FACTOR),
    )

    def __init__(self, stack: StackSpec, base: float = 10000.0, share: float = 1.0, factor: float = 4.0) -> None:
        """Keep ``factor``, the s of the formula: the target length over the trained length.

        Raises:
            ValueError: fewer than four dimensions to rotate.
        """
        super().__init__(stack, base, share)
        self.stretched_base = ntk_aware_base(base, factor, self.n_rotated)

    def frequencies(self) -> Float[Tensor, " pair"]:
        """Return the frequencies of the stretched base."""
        return geometric_frequencies(self.n_rotated, self.stretched_base)
