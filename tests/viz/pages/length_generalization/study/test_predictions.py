"""Claims about C-RASP, held against made-up results."""

import pandas as pd
import pytest

from model.zoo.predictions import OF_ZOO, PREDICTED, PUBLISHED
from tests.fixtures.crasp import of_bins
from tests.fixtures.zoo_results import zoo_runs
from viz.pages.length_generalization.study.predictions import as_predicted, confounded, farther


def reached(*far: float, trained: float = 1.0) -> pd.DataFrame:
    """Return results of runs that are predicted to hold: right up to twice the length, and so far at three times."""
    pairs = [pair for pair, holds in PREDICTED.items() if holds][: len(far)]
    runs = zip(pairs, far, strict=True)
    return pd.DataFrame([row for pair, farthest in runs for row in of_bins(*pair, trained, 0.95, farthest)])


@pytest.mark.parametrize(("far", "stay"), [((0.95, 0.3), 1), ((0.3, 0.89), 0)])
def test_what_holds_up_to_twice_the_length_may_fall_up_to_three_times(far: tuple[float, ...], stay: int) -> None:
    claim = farther(reached(*far), pd.DataFrame())
    assert claim.holds
    assert (claim.values["stay"], claim.values["all"]) == (stay, 2)
    assert claim.values["of"] == sum(PREDICTED[pair] for pair in PUBLISHED)
    assert as_predicted(reached(*far), pd.DataFrame()).holds


def test_nothing_is_said_where_all_stay_or_nothing_was_learned() -> None:
    assert not farther(reached(0.95, 0.9), pd.DataFrame()).holds
    assert not farther(reached(0.3, trained=0.5), pd.DataFrame()).holds


def test_outcomes_of_different_tasks_and_recipes_are_only_a_hint() -> None:
    holds = of_bins("unique_copy", "shifted", 1.0, 0.95, 0.9)
    falls = zoo_runs(OF_ZOO[0], {"none": [0.1, 0.2]})
    assert confounded(pd.DataFrame(holds), falls).holds
    both = [*holds, *of_bins("unique_copy", "none", 1.0, 0.1, 0.0)]
    assert not confounded(pd.DataFrame(both), falls).holds
    again = [*holds, *of_bins("unique_copy", "shifted", 1.0, 0.95, 0.9, seed=2)]
    assert not confounded(pd.DataFrame(again), falls).holds
    assert not confounded(pd.DataFrame(), pd.DataFrame()).holds
