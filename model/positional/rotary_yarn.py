"""Rotary with YaRN (Peng et al. 2023): interpolation by pair, and a sharper softmax."""

import math
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from model.positional.base import Description, EncodingError, Parameter, StackSpec
from model.positional.registry import register
from model.positional.rotary import BASE, FACTOR, SHARE, RotaryEncoding
from model.positional.rotary_interpolation import interpolated_frequencies


def pair_with_turns(n_turns: float, n_rotated: int, base: float, original_length: int) -> float:
    """Return the (fractional) pair that completes ``n_turns`` within ``original_length`` positions."""
    return n_rotated * math.log(original_length / (n_turns * 2 * math.pi)) / (2 * math.log(base))


def interpolated_share(
    n_rotated: int, base: float, original_length: int, fast: float, slow: float
) -> Float[Tensor, " pair"]:
    """Return how far each pair is interpolated: 0 with ``fast`` turns or more, 1 below ``slow``.

    Turns are counted in the trained length. In between it rises linearly with the index of the pair, as in the authors'
    code; the paper's equation 18 rises with the number of turns.
    """
    first = math.floor(pair_with_turns(fast, n_rotated, base, original_length))
    last = math.ceil(pair_with_turns(slow, n_rotated, base, original_length))
    low, high = max(first, 0), min(last, n_rotated - 1)
    if high < low:
        # All pairs turn less than ``slow`` times, or all more than ``fast``; the ramp would be turned round.
        return torch.full((n_rotated // 2,), float(last < 0), dtype=torch.float64)
    width = high - low or 0.001  # avoids a division by zero
    return ((torch.arange(n_rotated // 2, dtype=torch.float64) - low) / width).clamp(0, 1)


def yarn_amplitude(factor: float) -> float:
    """Return √(1/t) = 0.1 ln s + 1, which multiplies both queries and keys (equation 22)."""
    return 0.1 * math.log(factor) + 1


@register
class RotaryYaRN(RotaryEncoding):
    """Keep fast pairs, interpolate slow ones, blend in between; sharpen the softmax for long inputs."""

    description = Description(
        name="rotary_yarn",
        title="Rotary, YaRN",
        explanation=(
            "YaRN stretches a trained rotary encoding for longer texts: slow turns are slowed down, "
            "fast ones stay, and attention is made sharper."
        ),
        other_names=("YaRN",),
        paper="Peng et al. 2023, §3.2–3.4, arXiv:2309.00071",
        year=2023,
        formula=(
            r"\theta'_i = (1-\gamma_i)\,\theta_i / s + \gamma_i\,\theta_i, \quad "
            r"\mathrm{softmax}\!\left(\frac{q_m^{\top} k_n}{t\sqrt{d}}\right),\; \sqrt{1/t} = 0.1 \ln s + 1"
        ),
        properties=replace(RotaryEncoding.description.properties, extrapolates="by a factor", published_for="causal"),
        parameters=(
            BASE,
            SHARE,
            FACTOR,
            Parameter("original_length", 512, 2, 65536, "length trained", integer=True, logarithmic=True),
            Parameter(
                "fast", 32.0, 0.01, 1024.0, "turns in the trained length that leave a pair alone", logarithmic=True
            ),
            Parameter("slow", 1.0, 0.01, 1024.0, "turns below which a pair is fully interpolated", logarithmic=True),
        ),
        note=(
            "γᵢ is 1 for pairs that turn at least *fast* times within the trained length and 0 for those that turn less"
            " than *slow* times. In between it falls evenly with the pair's number i, as in the authors' code; in the "
            "paper, with the number of turns."
        ),
    )

    def __init__(
        self,
        stack: StackSpec,
        *,
        base: float = 10000.0,
        share: float = 1.0,
        factor: float = 4.0,
        original_length: int = 512,
        fast: float = 32.0,
        slow: float = 1.0,
    ) -> None:
        """Keep the numbers of turns that separate interpolated pairs from unchanged ones.

        Raises:
            EncodingError: ``slow`` is not below ``fast``.
        """
        if not slow < fast:
            raise EncodingError("slow not below fast", slow=slow, fast=fast)
        super().__init__(stack, base, share)
        self.factor = factor
        self.original_length = original_length
        self.fast = fast
        self.slow = slow
        self.amplitude = yarn_amplitude(factor)

    def frequencies(self) -> Float[Tensor, " pair"]:
        """Return the blend of the original and the interpolated frequencies."""
        original = super().frequencies()
        share = interpolated_share(self.n_rotated, self.base, self.original_length, self.fast, self.slow)
        return (1 - share) * original + share * interpolated_frequencies(original, self.factor)
