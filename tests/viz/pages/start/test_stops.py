"""The stops of the reading path: what their words name and compute, and the sheet that prints them."""

import pandas as pd
import pytest

from viz.base.languages import LANGUAGES, in_language
from viz.pages.start.exercise_sheet import sheet_of
from viz.pages.start.position import PositionStep, turned_angle
from viz.pages.start.reading_path import STOPS
from viz.pages.start.study.lengths import TASKS, TIMES, longest_trained, means_near, parted


def test_bleu_is_among_the_terms_of_a_stop_that_names_it_before_its_own() -> None:
    place = [stop.name for stop in STOPS].index("bleu")
    naming = [stop for stop in STOPS[:place] if "BLEU" in stop.words["summary"]]
    assert naming
    assert all("BLEU" in stop.terms for stop in naming)


def test_hardly_any_encoding_lasts_and_one_alone_lasts_longest(zoo_results: pd.DataFrame) -> None:
    values = parted(zoo_results).values
    assert int(str(values["long"])) <= int(str(values["total"])) / 5
    for task in TASKS:
        means = [mean for _, mean in means_near(zoo_results, task, TIMES * longest_trained(zoo_results, task)).values()]
        assert means.count(max(means)) == 1


@pytest.mark.parametrize("k", [0, 7])
def test_a_pair_turns_by_what_the_reason_says(k: int) -> None:
    answer = turned_angle(PositionStep(k))
    values = {name: float(str(answer.values[name])) for name in ("pair", "d_model", "speed")}
    assert values["speed"] == pytest.approx(10000 ** (-2 * values["pair"] / values["d_model"]))
    assert answer.right == pytest.approx(k * values["speed"])


@pytest.mark.parametrize("reading", LANGUAGES)
def test_a_sheet_is_marked_as_the_language_that_it_is_in(reading: str) -> None:
    with in_language(reading):
        assert f'<html lang="{reading}">' in sheet_of("title", "")
