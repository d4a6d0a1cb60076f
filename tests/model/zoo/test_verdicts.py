"""Which of several encodings may be the best: by the bootstrap, beside SciPy's, and by ranges of few seeds."""

import numpy as np
import pytest
from scipy.stats import bootstrap

from model.zoo.verdicts import LEAST_LEAD, drawn_shares, judge, level, task_shares

RNG = np.random.default_rng(1)
APART = {
    "good": {"sort": np.array([0.9, 0.8, 0.95])},
    "near": {"sort": np.array([0.97, 0.7, 0.85])},
    "bad": {"sort": np.array([0.1, 0.2, 0.3])},
}


def test_few_seeds_of_one_task_have_their_range_and_may_be_best_where_ranges_meet() -> None:
    rows = judge(APART, higher_is_better=True)
    assert [(row.name, row.may_be_best) for row in rows] == [("good", True), ("near", True), ("bad", False)]
    assert [(row.low, row.high, row.is_range) for row in rows] == [
        (0.8, 0.95, True),
        (0.7, 0.97, True),
        (0.1, 0.3, True),
    ]


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_ranges_that_do_not_meet_tell_nothing_while_the_best_mean_leads_by_no_more_than_the_least_lead(
    higher_is_better: bool,
) -> None:
    values = {"good": [0.0, 0.001], "near": [0.01, 0.012], "far": [0.06, 0.062]}
    sign = -1 if higher_is_better else 1
    measured = {name: {"sort": sign * np.array(seeds)} for name, seeds in values.items()}
    for least, best in ((0.0, ("good",)), (LEAST_LEAD, ("good", "near"))):
        assert level(judge(measured, higher_is_better=higher_is_better, least_lead=least)) == best


def test_where_less_is_better_the_order_and_the_verdicts_turn_round() -> None:
    rows = judge(APART, higher_is_better=False)
    assert [(row.name, row.may_be_best) for row in rows] == [("bad", True), ("near", False), ("good", False)]


def test_an_interval_of_many_seeds_is_scipy_s() -> None:
    values = RNG.normal(size=20)
    (row,) = judge({"one": {"sort": values}}, higher_is_better=True)
    theirs = bootstrap((values,), np.mean, method="percentile", n_resamples=20_000, rng=2).confidence_interval
    assert (row.low, row.high) == pytest.approx((theirs.low, theirs.high), abs=0.05)
    assert not row.is_range


def test_tasks_weigh_alike_and_are_drawn_again_too() -> None:
    (row,) = judge({"one": {"sort": np.array([1.0, 1.0, 1.0]), "copy": np.array([0.0, 0.0])}}, higher_is_better=True)
    assert (row.mean, row.low, row.high, row.n_seeds) == (0.5, 0.0, 1.0, 2)


def test_tasks_are_the_same_for_all_in_a_draw() -> None:
    values = {f"task {number}": RNG.normal(size=3) * 0.01 + number for number in range(6)}
    better = {task: seeds + 0.1 for task, seeds in values.items()}
    rows = judge({"one": values, "better": better}, higher_is_better=True)
    assert [(row.name, row.may_be_best) for row in rows] == [("better", True), ("one", False)]
    assert rows[0].low is not None
    assert rows[1].high is not None
    assert rows[0].low < rows[1].high


def test_over_several_tasks_an_encoding_is_out_where_it_is_worse_in_nearly_all_draws_alone() -> None:
    # Ahead on six of eight tasks: worse in most draws, but in fewer than 97.5 %.
    tasks = {f"task {number}": np.array([0.5, 0.5]) for number in range(8)}
    behind = {task: seeds + (0.1 if number < 2 else -0.1) for number, (task, seeds) in enumerate(tasks.items())}
    far_behind = {task: seeds - 0.1 for task, seeds in tasks.items()}
    rows = judge({"best": tasks, "behind": behind, "far": far_behind}, higher_is_better=True)
    assert [(row.name, row.may_be_best) for row in rows] == [("best", True), ("behind", True), ("far", False)]


def test_every_family_weighs_as_much_as_another() -> None:
    values = {"a": np.array([1.0, 1.0]), "b": np.array([1.0, 1.0]), "c": np.array([0.0, 0.0])}
    (row,) = judge({"one": values}, higher_is_better=True, families={"first": ("a", "b"), "second": ("c",)})
    assert row.mean == 0.5
    tasks, groups = ("a", "b", "c"), (("a", "b"), ("c",))
    drawn = drawn_shares(tasks, groups, np.random.default_rng(3))
    assert drawn.sum(axis=1) == pytest.approx(1)
    assert drawn.mean(axis=0) == pytest.approx(task_shares(tasks, groups), abs=0.03)


def test_what_has_not_learned_comes_last_and_is_not_compared() -> None:
    rows = judge(APART, higher_is_better=True, not_learned=["good"])
    assert [(row.name, row.may_be_best, row.has_learned) for row in rows] == [
        ("near", True, True),
        ("bad", False, True),
        ("good", None, False),
    ]


def test_one_seed_tells_nothing_of_the_spread() -> None:
    rows = judge({"once": {"sort": np.array([1.0])}, **APART}, higher_is_better=True)
    assert (rows[0].name, rows[0].low, rows[0].may_be_best) == ("once", None, None)
    assert rows[1].may_be_best
    assert judge({}, higher_is_better=True) == ()
