"""The paper's table, and ours beside it, with runs that are missing."""

import numpy as np
import pandas as pd
import pytest

from tests.fixtures.ablations import SOME, STEPS, ablation_rows, every_row
from viz.pages.ablations.study.table_3 import (
    BASE,
    CLAIMS,
    VariantRow,
    Verdict,
    base_row,
    curves,
    finished_runs,
    in_order,
    n_finished,
    paper_rows,
    table,
)


def by_variant(bleu=SOME, measure: str = "sacrebleu") -> dict[str, VariantRow]:
    return {row.variant: row for row in table(finished_runs(ablation_rows(bleu)), measure)}


def test_the_paper_s_rows_are_differences_from_its_base() -> None:
    rows = by_variant({})
    assert len(rows) == len(paper_rows()) - 1
    assert {row.theirs for row in rows.values() if row.group == "A"} == {-0.9, -0.3, 0.0, -0.4}
    assert rows["dff512"].theirs == 0.4
    assert [row.variant for row in rows.values() if row.theirs is None] == [
        *("rotary", "t5", "alibi", "nope"),
        *("unscaled", "no-residual", "no-warmup", "post-norm", "post-norm-no-warmup"),
    ]
    assert set(CLAIMS) <= rows.keys()
    assert all(row.verdict in ("not measured", "not in paper") and row.mean is None for row in rows.values())


def test_ours_are_differences_from_the_mean_of_our_base() -> None:
    rows = by_variant()
    assert rows["h1"].ours == pytest.approx({1: -1.0, 2: -0.5})
    assert rows["h1"].mean == pytest.approx(-0.75)
    assert by_variant(measure="tokenized_bleu")["h1"].ours == pytest.approx({1: -1.0, 2: -0.5})
    base = base_row(finished_runs(ablation_rows(SOME)), "sacrebleu")
    assert (base.ours, base.theirs) == (pytest.approx({1: -0.2, 2: 0.2}), 0.0)


@pytest.mark.parametrize(
    ("variant", "verdict"),
    [
        ("h1", "same"),
        ("dff512", "other"),
        ("dmodel256", "mixed"),
        ("h16", "none in paper"),
        ("no-residual", "not in paper"),
        ("h4", "not measured"),
    ],
)
def test_a_row_goes_the_paper_s_way_if_all_of_its_seeds_are_beyond_all_of_the_base_s(
    variant: str, verdict: Verdict
) -> None:
    assert by_variant()[variant].verdict == verdict


@pytest.mark.parametrize(
    ("bleu", "verdict"),
    [((29.5, 29.7), "same"), ((29.5, 29.9), "leans"), ((29.9, 30.1), "mixed"), ((30.3, 30.4), "other")],
)
def test_seeds_within_those_of_the_base_are_not_told_from_it(bleu: tuple[float, ...], verdict: Verdict) -> None:
    assert by_variant({"base": (29.8, 30.2), "h1": bleu})["h1"].verdict == verdict


def test_without_a_base_nothing_is_measured() -> None:
    assert all(not row.ours for row in by_variant({"h1": (30.0,)}).values())
    assert finished_runs(pd.DataFrame()) == {}


def test_rows_sort_by_either_difference_and_what_has_none_comes_last() -> None:
    rows = tuple(by_variant().values())
    assert in_order(rows, "paper") == rows
    ours = in_order(rows, "ours")
    assert [row.variant for row in ours[:3]] == ["no-residual", "h1", "dff512"]
    assert all(row.mean is None for row in ours[5:])
    theirs = [row.theirs for row in in_order(rows, "theirs")]
    assert theirs[0] == -2.1
    assert theirs[-9:] == [None] * 9


def test_runs_are_counted() -> None:
    assert n_finished(finished_runs(ablation_rows(SOME))) == 10
    assert n_finished(finished_runs(ablation_rows(every_row()))) == 3 * len(paper_rows())


def test_a_curve_has_a_line_for_each_seed() -> None:
    steps, values = curves(ablation_rows(SOME), BASE, "score")
    assert steps == list(STEPS)
    np.testing.assert_allclose(values[1], [30.2 * place / 4 for place in (1, 2, 3)])
    assert curves(ablation_rows(SOME), "h4", "score")[0] == []
