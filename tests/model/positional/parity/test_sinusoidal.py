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


def test_all_sines_before_all_cosines_are_the_same_columns_in_another_order() -> None:
    positions = torch.arange(50)
    angles = torch.outer(positions, 10000 ** (-torch.arange(0, D, 2) / D))
    halves, ours = torch.cat((angles.sin(), angles.cos()), dim=1), sinusoidal_encoding(positions, D)
    agree(halves[:, torch.arange(D).reshape(2, -1).T.flatten()], ours)
    agree(halves @ halves.T, ours @ ours.T)


def test_the_first_pair_turns_fastest_and_each_next_one_more_slowly() -> None:
    here, next_one = sinusoidal_encoding(torch.tensor([0, 1]), D).unflatten(-1, (-1, 2))
    assert ((next_one - here).norm(dim=-1).diff() < 0).all()
