"""Other sinusoids for a trained translator: another base, a later start, longer vectors, none.

The sinusoids of Vaswani et al. 2017, §3.5, in both stacks or in one. The model itself stays as it is.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.interventions.ablation import DECODER_POSITIONS, ENCODER_POSITIONS
from model.architectures.encoder_decoder import EncoderDecoder
from model.hooks import Edit
from model.positional import PositionalEncoding
from model.positional.sinusoidal import SinusoidalEncoding, sinusoidal_encoding

Side = Literal["encoder", "decoder", "both"]
SIDES: tuple[Side, ...] = ("encoder", "decoder", "both")
# A sinusoid is recognised by its largest product; more positions would only take more memory.
MAX_POSITIONS = 2048


@dataclass(frozen=True)
class Swap:
    """The replacement for the sinusoids of ``side``.

    Attributes:
        side: the stack, or both.
        base: the 10000 of the paper; above 1.
        shift: the number of the first position, from 0.
        strength: what the vectors are multiplied by; 0 for no positions at all.

    Raises:
        ValueError: a number is not finite or out of its range.
    """

    side: Side = "both"
    base: float = 10000.0
    shift: int = 0
    strength: float = 1.0

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not (math.isfinite(self.base) and self.base > 1):
            raise ValueError(f"base is {self.base:g}; it must be a finite number above 1")
        if self.shift < 0:
            raise ValueError(f"shift is {self.shift}; it must be at least 0")
        if not math.isfinite(self.strength):
            raise ValueError(f"strength is {self.strength:g}; it must be a finite number")


def can_swap(model: EncoderDecoder) -> bool:
    """Whether both stacks of ``model`` add sinusoids to the embeddings."""
    return all(isinstance(encoding, SinusoidalEncoding) for _, _, encoding in _stacks(model))


def swap_edits(model: EncoderDecoder, swap: Swap) -> dict[str, Edit]:
    """Return the edits, for :func:`~model.hooks.intervene`, that give ``model`` the positions of ``swap``.

    Raises:
        ValueError: a stack adds something else than sinusoids.
    """
    edits: dict[str, Edit] = {}
    for side, point, encoding in _stacks(model):
        if swap.side not in (side, "both"):
            continue
        if not isinstance(encoding, SinusoidalEncoding):
            raise ValueError(f"the {side} has {encoding.description.name} positions; sinusoids alone can be swapped")
        own = sinusoidal_encoding(torch.arange(MAX_POSITIONS), encoding.d_model, encoding.base)
        edits[point] = partial(_swapped, own=own, swap=swap)
    return edits


def _stacks(model: EncoderDecoder) -> Iterator[tuple[Side, str, PositionalEncoding]]:
    yield "encoder", ENCODER_POSITIONS, model.encoder.positional
    yield "decoder", DECODER_POSITIONS, model.decoder.positional


def _swapped(
    encoding: Float[Tensor, "position d_model"], own: Float[Tensor, "known d_model"], swap: Swap
) -> Float[Tensor, "position d_model"]:
    """Return the vectors of ``swap`` for the positions that ``encoding`` is of.

    While a translation is written, one position after the other comes by. Which one it is, the vector tells itself: the
    product of two sinusoids, Σ cos((p − q)θ_i), is largest where p = q.
    """
    positions = (encoding @ own.to(encoding).T).argmax(1)
    swapped = sinusoidal_encoding(positions + swap.shift, encoding.shape[1], swap.base)
    return swap.strength * swapped.to(encoding)
