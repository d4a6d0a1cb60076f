"""Sines and cosines of position times frequency, exact at late positions."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.positional.base import EncodingError


def geometric_frequencies(n_dimensions: int, base: float) -> Float[Tensor, " pair"]:
    """Return θ_i = base^{−2i/n_dimensions} for i from 0 to n_dimensions/2 − 1, in float64 on the CPU.

    Raises:
        EncodingError: ``n_dimensions`` is not even and positive.
        ValueError: ``base`` is not above 1.
    """
    if n_dimensions < 2 or n_dimensions % 2:
        raise EncodingError("odd dimension", dimension=n_dimensions)
    if not base > 1:
        raise ValueError(f"base is {base:g}; wavelengths grow with the dimension only for a base above 1")
    even = torch.arange(0, n_dimensions, 2, dtype=torch.float64)  # 2i
    return base ** (-even / n_dimensions)


def sines_and_cosines(
    positions: Int[Tensor, " position"],
    frequencies: Float[Tensor, " pair"],
    dtype: torch.dtype = torch.float32,
) -> tuple[Float[Tensor, "position pair"], Float[Tensor, "position pair"]]:
    """Return sin and cos of p·θ_i, in ``dtype`` on the device of ``positions``.

    The angle is taken in float64: float32 loses the phase of position 100 000 by a hundredth of a radian.
    """
    # Apple's GPUs have no float64; the few numbers are then made on the CPU.
    device = torch.device("cpu") if positions.device.type == "mps" else positions.device
    angles = positions.to(device, torch.float64)[:, None] * frequencies.to(device)  # [P, pair]
    return angles.sin().to(dtype).to(positions.device), angles.cos().to(dtype).to(positions.device)
