"""What is claimed of encodings as published, held against made-up results."""

import itertools
import math

import pandas as pd
import pytest

from tests.fixtures.zoo_results import zoo_runs
from viz.pages.length_generalization.study.pairs import pair_of
from viz.pages.length_generalization.study.published_forms import FormPair, ahead, apart, behind, form_pairs


def test_a_form_is_ahead_or_behind_only_with_every_seed() -> None:
    runs = {"path": [0.5, 0.6], "path_published": [0.7, 0.8], "fox": [0.5, 0.6], "fox_input": [0.3, 0.4]}
    runs |= {"ssmax": [0.5, 0.6], "ssmax_bias": [0.6, 0.9], "rnope": [0.5, 0.6]}
    pairs = form_pairs(zoo_runs("reverse", runs))
    assert {pair.name for pair in pairs} == {"path_published", "fox_input", "ssmax_bias"}
    assert [pair_of(name) for name in ahead(pairs).values["pairs"].names] == [("reverse", "path_published")]
    assert [pair_of(name) for name in behind(pairs).values["pairs"].names] == [("reverse", "fox_input")]
    assert (apart(pairs).values["n"], apart(pairs).values["all"]) == (2, 3)


def test_a_window_that_hides_nothing_in_training_is_no_form_of_its_own() -> None:
    runs = {"rnope": [0.5, 0.6], "rnope_window": [0.7, 0.8], "path": [0.5, 0.6], "path_published": [0.7, 0.8]}
    tasks = ("reverse", "copy_letters", "recall", "sort", "parity")
    pairs = form_pairs(pd.concat([zoo_runs(task, runs) for task in tasks]))
    assert {pair.task for pair in pairs if pair.name == "path_published"} == {*tasks}
    assert {pair.task for pair in pairs if pair.name == "rnope_window"} == {"reverse", "copy_letters", "recall"}


def test_scores_that_are_printed_alike_put_no_form_ahead() -> None:
    (pair,) = form_pairs(zoo_runs("parity", {"path": [0.999, 1.0], "path_published": [0.996, 0.998]}))
    assert pair.is_judged
    assert not pair.is_behind
    assert not pair.is_ahead


@pytest.mark.parametrize(("n_own", "n_published"), [(3, 3), (5, 3), (2, 2)])
def test_chance_is_the_share_of_all_orders_of_the_seeds(n_own: int, n_published: int) -> None:
    own, published = [i / 100 for i in range(n_own)], [0.5 + i / 100 for i in range(n_published)]
    (pair,) = form_pairs(zoo_runs("reverse", {"path": own, "path_published": published}))
    ranks = range(n_own + n_published)
    chosen = [*itertools.combinations(ranks, n_own)]
    n_apart = sum(max(some) < n_own or min(some) >= n_published for some in chosen)
    assert pair.by_chance == pytest.approx(n_apart / len(chosen))


def test_forms_are_apart_only_where_chance_alone_seldom_parts_as_many() -> None:
    own, level, other = [0.3, 0.4, 0.5], [0.31, 0.41, 0.51], [0.7, 0.8, 0.9]

    def pairs_of(n_apart: int) -> list[FormPair]:
        forms = (("path", "path_published"), ("fox", "fox_input"), ("ssmax", "ssmax_bias"))
        cases = [(task, *form) for task in ("reverse", "copy_letters") for form in forms]
        runs = [
            zoo_runs(task, {simple: own, published: other if number < n_apart else level})
            for number, (task, simple, published) in enumerate(cases)
        ]
        return form_pairs(pd.concat(runs))

    for n_apart in range(7):
        expected = sum(math.comb(6, n) * 0.1**n * 0.9 ** (6 - n) for n in range(n_apart, 7))
        claim = apart(pairs_of(n_apart))
        assert claim.values["probability"] == pytest.approx(expected)
        assert claim.values["chance"] == pytest.approx(0.6)
        assert claim.holds == (expected < 0.05)


def test_one_seed_or_an_unlearned_task_is_shown_and_not_judged() -> None:
    once = zoo_runs("reverse", {"path": [0.1, 0.2], "path_published": [0.9]})
    unlearned = zoo_runs("sort", {"path": [0.1, 0.2], "path_published": [0.8, 0.9]}, trained=0.5)
    pairs = form_pairs(pd.concat([once, unlearned]))
    assert len(pairs) == 2
    assert not apart(pairs).holds
    assert apart(pairs).values["all"] == 0
    assert not ahead(pairs).holds


def test_without_results_there_are_no_pairs() -> None:
    assert form_pairs(pd.DataFrame()) == []
