"""Sinusoidal positions, against code or formulas that owe nothing to ours, to 1e-5."""

import math

import torch

from model.positional.sinusoidal import sinusoidal_encoding
from tests.model.positional.parity.agreement import D, agree


def test_sinusoidal_by_its_formula() -> None:
    expected = torch.tensor(
        [[(math.sin, math.cos)[i % 2](p / 10000 ** ((i - i % 2) / D)) for i in range(D)] for p in (0, 1, 7, 500, 65535)]
    )
    agree(sinusoidal_encoding(torch.tensor([0, 1, 7, 500, 65535]), D), expected)
