"""Which of several encodings may be the best: by the bootstrap, beside SciPy's."""

import numpy as np
import pytest
from scipy.stats import bootstrap

from model.zoo.judged import judge

RNG = np.random.default_rng(1)
APART = {
    "good": [np.array([0.9, 0.8, 0.95])],
    "near": [np.array([0.97, 0.7, 0.85])],
    "bad": [np.array([0.1, 0.2, 0.3])],
}


def test_an_encoding_that_the_seeds_cannot_tell_from_the_best_may_be_it() -> None:
    rows = judge(APART, higher_is_better=True)
    assert [(row.name, row.may_be_best) for row in rows] == [("good", True), ("near", True), ("bad", False)]


def test_where_less_is_better_the_order_and_the_verdicts_turn_round() -> None:
    rows = judge(APART, higher_is_better=False)
    assert [(row.name, row.may_be_best) for row in rows] == [("bad", True), ("near", False), ("good", False)]


def test_an_interval_is_scipy_s() -> None:
    values = RNG.normal(size=20)
    (row,) = judge({"one": [values]}, higher_is_better=True)
    theirs = bootstrap((values,), np.mean, method="percentile", n_resamples=20_000, rng=2).confidence_interval
    assert (row.low, row.high) == pytest.approx((theirs.low, theirs.high), abs=0.05)


def test_tasks_weigh_alike_and_are_drawn_each_for_itself() -> None:
    (row,) = judge({"one": [np.array([1.0, 1.0, 1.0]), np.array([0.0, 0.0])]}, higher_is_better=True)
    assert (row.mean, row.low, row.high, row.n_seeds) == (0.5, 0.5, 0.5, 2)


def test_one_seed_tells_nothing_of_the_spread() -> None:
    rows = judge({"once": [np.array([1.0])], **APART}, higher_is_better=True)
    assert (rows[0].name, rows[0].low, rows[0].may_be_best) == ("once", None, None)
    assert rows[1].may_be_best
    assert judge({}, higher_is_better=True) == ()
