"""What is claimed of PaTH, held against made-up results."""

import pandas as pd
import pytest

from tests.fixtures.zoo_results import zoo_runs
from viz.pages.length_generalization.study.path import costs, holds, near_guessing, path_on_tasks


def test_path_is_ahead_where_its_worst_seed_is_ahead_of_the_best_seed_of_all_others() -> None:
    ahead = zoo_runs("parity", {"path": [0.9, 1.0], "none": [0.5, 0.8], "cope": [0.7, 0.7]})
    level = zoo_runs("reverse", {"path": [0.8, 1.0], "none": [0.5, 0.8]})
    entries = path_on_tasks(pd.concat([ahead, level]))
    assert [(entry.task, entry.other, entry.is_ahead) for entry in entries] == [
        ("parity", "none", True),
        ("reverse", "none", False),
    ]
    claim = holds(entries)
    assert claim.holds
    assert (claim.values["n"], claim.values["all"]) == (1, 2)


def test_the_claim_says_on_how_many_of_all_tasks_it_is_so() -> None:
    ahead = zoo_runs("parity", {"path": [0.9, 1.0], "none": [0.5, 0.8]})
    behind = zoo_runs("sort", {"path": [0.5, 0.7], "none": [0.9, 0.9]})
    alone = zoo_runs("copy_letters", {"path": [0.5]})
    claim = holds(path_on_tasks(pd.concat([behind, alone, ahead])))
    assert (claim.values["n"], claim.values["all"]) == (1, 1)
    assert (claim.values["n_everywhere"], claim.values["everywhere"]) == (1, 2)


def test_what_did_not_learn_the_task_and_the_published_form_are_no_others() -> None:
    of_path = zoo_runs("parity", {"path": [0.9]})
    others = [zoo_runs("parity", {"none": [1.0]}, trained=0.5), zoo_runs("parity", {"path_published": [1.0]})]
    (entry,) = path_on_tasks(pd.concat([of_path, *others]))
    assert entry.other is None
    assert entry.is_ahead


def test_without_a_path_that_learned_the_task_nothing_is_claimed() -> None:
    for results in (pd.DataFrame(), zoo_runs("parity", {"none": [1.0]}), zoo_runs("parity", {"path": [1]}, trained=0)):
        entries = path_on_tasks(results)
        assert not any(entry.own.has_learned for entry in entries)
        assert not holds(entries).holds
        assert holds(entries).values["all"] == 0


@pytest.mark.parametrize(("far", "n"), [((0.55, 1.0, 0.6), 2), ((0.7, 0.9), 0)])
def test_seeds_near_guessing_are_counted_at_the_far_length(far: tuple[float, ...], n: int) -> None:
    claim = near_guessing(path_on_tasks(zoo_runs("parity", {"path": far})))
    assert claim.holds == (n > 0)
    assert (claim.values["n"], claim.values["all"]) == (n, len(far))


def test_costs_are_beside_rotary() -> None:
    times = {"encoding": ["rotary", "path"], "read_milliseconds": [2.0, 8.0], "write_milliseconds": [1.0, 3.0]}
    claim = costs(pd.DataFrame(times | {"n_tokens": 512}))
    assert claim.holds
    assert claim.values == {"reading": 4.0, "writing": 3.0, "n_tokens": 512}
    assert not costs(pd.DataFrame()).holds
