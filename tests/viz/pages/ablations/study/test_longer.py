"""What a longer training leaves of a row's difference from the base."""

import pandas as pd
import pytest

from tests.fixtures.ablations import ablation_rows
from viz.base.claims import Names
from viz.pages.ablations.study.longer import Kept, LongerRow, kept, longer_rows
from viz.pages.ablations.study.table_3 import finished_runs

BASE = (29.8, 30.2)


def of(short: tuple[float, ...], longer: tuple[float, ...]) -> LongerRow:
    (row,) = longer_rows(*(finished_runs(ablation_rows({"base": BASE, "post-norm": bleu})) for bleu in (short, longer)))
    return row


@pytest.mark.parametrize(
    ("short", "longer", "how"),
    [
        ((20.0, 21.0), (28.0, 29.0), "shrinks"),
        ((20.0, 21.0), (29.9,), "shrinks"),
        ((20.0, 21.0), (31.0, 32.0), "turns"),
        ((20.0, 21.0), (22.0, 23.0), "stays"),
        ((20.0, 21.0), (10.0,), "stays"),
        ((33.0, 34.0), (33.5,), "stays"),
        ((33.0, 34.0), (30.5,), "shrinks"),
        ((20.0, 29.0), (20.5, 29.5), "stays"),
        ((20.0, 29.0), (20.5, 29.9), "unsure"),
        ((20.0, 29.0), (27.0, 28.0), "unsure"),
        ((20.0, 21.0), (45.0, 46.0), "turns"),
        ((29.9, 30.5), (30.0, 30.1), "unsure"),
        ((29.9, 30.5), (25.0,), "unsure"),
        ((29.9, 30.5), (25.0, 26.0), "appears"),
    ],
)
def test_a_row_is_sorted_by_what_is_left_of_its_difference(
    short: tuple[float, ...], longer: tuple[float, ...], how: Kept
) -> None:
    assert of(short, longer).kept == how


def test_rows_that_both_trainings_have_are_compared() -> None:
    short = finished_runs(ablation_rows({"base": BASE, "h1": (29.0,), "nope": (20.0,)}))
    longer = finished_runs(ablation_rows({"base": BASE, "nope": (25.0,), "rotary": (31.0,)}))
    assert [row.variant for row in longer_rows(short, longer)] == ["nope"]
    assert longer_rows(short, finished_runs(ablation_rows({"nope": (25.0,)}))) == ()
    assert longer_rows(short, finished_runs(pd.DataFrame())) == ()


def test_a_claim_names_its_rows() -> None:
    rows = [of((20.0,), (29.0,))]
    assert kept(rows, "shrinks").values["rows"] == Names("row", ("post-norm",))
    assert kept(rows, "shrinks").holds
    assert not kept(rows, "stays").holds


def test_nothing_appears_beside_a_single_seed_of_the_base() -> None:
    short = finished_runs(ablation_rows({"base": BASE, "h1": BASE}))
    longer = finished_runs(ablation_rows({"base": (35.0,), "h1": (30.0, 31.0)}))
    assert [row.kept for row in longer_rows(short, longer)] == ["unsure"]
