"""Scores of runs: at the trained lengths, and one number past them."""

import pandas as pd
import pytest

from model.zoo.scores import mean_over, trained_scores, worst_trained


def of_lengths(*measured: tuple[int, int, float], seed: int = 1) -> pd.DataFrame:
    """Return results trained to 20 by lengths, their numbers of inputs, and exact match."""
    run = {"task": "reverse", "encoding": "none", "seed": seed, "checkpoint": "best", "longest_trained": 20}
    rows = [{**run, "length": length, "n": n, "exact_match": value} for length, n, value in measured]
    return pd.DataFrame(rows).assign(validation_exact_match=0.97)


def test_all_test_inputs_of_trained_lengths_weigh_alike() -> None:
    results = of_lengths((10, 20, 1.0), (20, 180, 0.9), (40, 200, 0.0))
    assert trained_scores(results) == {("reverse", "none", 1): pytest.approx(0.91)}


def test_a_handful_of_test_inputs_does_not_decide_what_is_learned() -> None:
    few = of_lengths((10, 2, 1.0), (20, 8, 0.8), (40, 200, 0.0))
    assert trained_scores(few) == {("reverse", "none", 1): 0.97}
    assert trained_scores(of_lengths((40, 200, 0.0))) == {("reverse", "none", 1): 0.97}


def test_the_worst_seed_counts() -> None:
    both = pd.concat([of_lengths((20, 200, 0.9)), of_lengths((20, 200, 0.4), seed=2)])
    assert worst_trained(both) == {("reverse", "none"): pytest.approx(0.4)}
    assert trained_scores(pd.DataFrame()) == {}


def test_lengths_measured_densely_weigh_no_more_than_others() -> None:
    assert mean_over([21, 22, 23], {20: 0.0, 21: 1.0, 23: 0.0}) == pytest.approx(0.5)
    dense = {length: float(length < 25) for length in (21, 22, 23, 24, 25, 40)}
    assert mean_over(range(21, 41), dense) == pytest.approx(4 / 20)


def test_a_run_that_was_not_measured_far_enough_has_none() -> None:
    assert mean_over([21, 22, 23], {21: 1.0, 22: 1.0}) is None
