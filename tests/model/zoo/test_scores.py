"""One number from the lengths that were measured."""

import pytest

from model.zoo.scores import mean_over


def test_lengths_measured_densely_weigh_no_more_than_others() -> None:
    assert mean_over([21, 22, 23], {20: 0.0, 21: 1.0, 23: 0.0}) == pytest.approx(0.5)
    dense = {length: float(length < 25) for length in (21, 22, 23, 24, 25, 40)}
    assert mean_over(range(21, 41), dense) == pytest.approx(4 / 20)


def test_a_run_that_was_not_measured_far_enough_has_none() -> None:
    assert mean_over([21, 22, 23], {21: 1.0, 22: 1.0}) is None
