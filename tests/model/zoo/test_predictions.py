"""What C-RASP predicts, held against made-up results."""

import pandas as pd
import pytest

from model.tasks import registered
from model.zoo.crasp import TASKS
from model.zoo.predictions import COMPARED, OF_ZOO, PREDICTED, PUBLISHED, Compared, compared
from tests.fixtures.crasp import of_bins
from tests.fixtures.zoo_results import zoo_runs
from viz.pages.length_generalization.study.ranking import scores


def entry(results: list[dict[str, object]], task: str, encoding: str) -> Compared:
    table = compared(pd.DataFrame(results), pd.DataFrame())
    return next(one for one in table if (one.task, one.encoding) == (task, encoding))


def test_every_task_stands_beside_every_encoding() -> None:
    table = compared(pd.DataFrame(), pd.DataFrame())
    assert {(one.task, one.encoding) for one in table} == {
        (task, encoding) for task in (*TASKS, *OF_ZOO) for encoding in COMPARED
    }
    assert all(one.here is None and one.agrees is None for one in table)


def test_the_theory_speaks_of_no_positions_and_of_random_offsets_alone() -> None:
    assert {encoding for _, encoding in PREDICTED} == {"none", "shifted"}
    assert {task for task, _ in PREDICTED} == {*TASKS, *OF_ZOO} <= registered().keys()
    assert PUBLISHED.keys() <= PREDICTED.keys()


def test_the_published_runs_are_as_predicted() -> None:
    assert {pair: near >= 0.9 for pair, (near, _) in PUBLISHED.items()} == {pair: PREDICTED[pair] for pair in PUBLISHED}


@pytest.mark.parametrize(("near", "agrees"), [(0.95, True), (0.2, False)])
def test_a_prediction_is_held_against_lengths_up_to_twice_the_trained_ones(near: float, agrees: bool) -> None:
    found = entry(of_bins("unique_copy", "shifted", 1.0, near, 0.0), "unique_copy", "shifted")
    assert found.here == (near, 0.0)
    assert found.known_length == pytest.approx((min(1.0, near + 0.1), 0.1))
    assert found.agrees is agrees


def test_a_mean_is_over_the_seeds() -> None:
    rows = of_bins("majority", "none", 1.0, 0.8, 0.6) + of_bins("majority", "none", 1.0, 1.0, 0.8, seed=2)
    found = entry(rows, "majority", "none")
    assert found.here == pytest.approx((0.9, 0.7))
    assert found.n_seeds == 2


def test_what_was_not_learned_says_nothing_of_longer_inputs() -> None:
    found = entry(of_bins("unique_copy", "none", 0.5, 0.0, 0.0), "unique_copy", "none")
    assert found.here == (0.0, 0.0)
    assert not found.is_learned
    assert found.agrees is None


def test_the_zoo_is_measured_by_its_own_lengths() -> None:
    reached = {4: 1.0, 8: 1.0, 9: 0.8, 16: 0.6, 20: 0.4, 24: 0.2, 40: 0.0}
    shared = {"task": "parity", "encoding": "none", "seed": 1, "checkpoint": "best", "longest_trained": 8, "n": 100}
    rows = [{**shared, "length": length, "exact_match": value} for length, value in reached.items()]
    zoo = pd.DataFrame(rows).assign(validation_exact_match=1.0)
    found = next(one for one in compared(pd.DataFrame(), zoo) if (one.task, one.encoding) == ("parity", "none"))
    # Straight lines between the lengths that were measured, as in every other score past the trained length.
    near = sum(0.8 - 0.2 * step / 7 for step in range(8)) / 8
    far = (0.4 * 4 + 0.35 + 0.3 + 0.25 + 0.2) / 8
    assert found.here == pytest.approx((near, far))
    assert found.is_learned
    assert found.agrees


def test_its_score_up_to_twice_the_length_is_that_of_the_ranking() -> None:
    results = zoo_runs("parity", {"none": [0.5, 0.9]}, times=3)
    found = next(one for one in compared(pd.DataFrame(), results) if (one.task, one.encoding) == ("parity", "none"))
    assert found.here is not None
    assert found.here[0] == pytest.approx(scores(results)["parity"]["none"].mean)
