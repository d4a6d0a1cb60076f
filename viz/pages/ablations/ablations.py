"""The paper's table 3 beside what the same changes do to a model that is trained here."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, get_args

import numpy as np
import pandas as pd
import streamlit as st

from viz.base.exports import rows_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import in_link, labelled, parameters_of
from viz.base.numbers import with_sign
from viz.base.words import listed_apart, page_text, paragraph
from viz.components.table import table as html_table
from viz.figures.cliff import Seeds, cliff
from viz.pages.ablations.figures.differences import Differences, differences
from viz.pages.ablations.study.claims import MEASURE, direction, no_direction, of_row, other_way, size, still_learning
from viz.pages.ablations.study.longer import Kept, LongerRow, kept, longer_rows
from viz.pages.ablations.study.table_3 import (
    BASE,
    CLAIMS,
    SEEDS,
    Runs,
    RunScores,
    VariantRow,
    base_row,
    curves,
    finished_runs,
    in_order,
    n_finished,
    paper_rows,
    table,
)
from viz.shared.measured import ablation_results, longer_ablation_results
from viz.shell.controls import choose, place_for_warnings, select, warn_bad_links
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/ablations/ablations")
Order = Literal["paper", "ours", "theirs"]
_ORDERS: tuple[Order, ...] = ("paper", "ours", "theirs")
_MEASURES = ("sacrebleu", "tokenized_bleu")
_GROUPS = ("all", "A", "B", "C", "D", "E", "ours")
_CURVES = ("score", "dev_loss")
_CURVE_HEIGHT = 320


_ORDER = labelled("sort", worded(_ORDERS, lambda name: TEXT[f"sort {name}"]))
_GROUP = labelled("rows", worded(_GROUPS, lambda name: TEXT[f"rows {name}"]))
_MEASURE = labelled("bleu", worded(_MEASURES, lambda name: TEXT[f"bleu {name}"]))
_ROW = labelled(
    "row", worded((row.variant for row in paper_rows()[1:]), lambda row: TEXT[f"name {row}"]), "no-residual"
)
_CURVE = labelled("curve", worded(_CURVES, lambda name: TEXT[f"curve {name}"]))


@dataclass(frozen=True)
class TableState:
    """State of the page: order and selection of rows, the kind of BLEU, and the row with curves."""

    order: Order = in_link(_ORDER)
    group: str = in_link(_GROUP)
    measure: str = in_link(_MEASURE)
    row: str = in_link(_ROW)
    curve: str = in_link(_CURVE)


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, parameters_of(TableState).values())
    try:
        results = ablation_results()
        runs = finished_runs(results)
    except (OSError, ValueError, KeyError):
        warnings.warning(TEXT["damaged"])
        results, runs = pd.DataFrame(), {}
    try:
        longer = finished_runs(longer_ablation_results())
    except (OSError, ValueError, KeyError):
        warnings.warning(TEXT["longer damaged"])
        longer = {}
    show_table_3(results, runs, longer)


def show_table_3(results: pd.DataFrame, runs: Runs, longer: Runs) -> None:
    """Show differences from the base, rows that go another way, the table, longer trainings, and curves."""
    st.markdown(paragraph([TEXT["intro"], _progress(runs)]))
    with st.container(horizontal=True, key="ablations-choices"):
        order = select(_ORDER, TEXT["sort"], width=190)
        group = select(_GROUP, TEXT["rows"], width=240)
        measure = select(_MEASURE, TEXT["bleu"], width=240)
    every = table(runs, measure)
    base = base_row(runs, measure)
    rows = [row for row in in_order(every, order) if group in ("all", row.group)]
    headings, cells = _table([base, *rows], runs, measure)
    picture, words = st.columns([3, 2], gap="large")
    with picture:
        file = File(TEXT["download"], lambda: _as_csv(headings, cells, [base, *rows]), "table-3.csv")
        _show_differences([base, *rows], file)
    with words:
        st.markdown(_base(runs))
        st.markdown(_claims(every))
        st.markdown(_others(every))
        st.markdown(still_learning(results).sentence(TEXT, "claim still learning"))
        if not runs:
            st.code(TEXT["command"], language=None, wrap_lines=True)
    with st.expander(TEXT["table"], key="ablations-table"):
        st.html(html_table(headings, cells, name=TEXT["table"]))
    _show_longer(runs, longer)
    _show_curves(results, runs)
    st.caption(TEXT["source"])


def _progress(runs: Runs) -> str:
    finished, planned = n_finished(runs), len(paper_rows()) * len(SEEDS)
    if finished == planned:
        return TEXT["all measured"].format(runs=planned, rows=len(paper_rows()), seeds=len(SEEDS))
    whole = sum(len(runs.get(row.variant, {})) == len(SEEDS) for row in paper_rows())
    some = sum(row.variant in runs for row in paper_rows())
    return TEXT["some measured"].format(
        runs=finished, planned=planned, some=some, whole=whole, rows=len(paper_rows()), seeds=len(SEEDS)
    )


def _show_differences(rows: Sequence[VariantRow], file: File) -> None:
    figure = differences(
        [Differences(_name(row), row.ours, row.theirs) for row in rows],
        x_name=TEXT["difference"],
        legend=(TEXT["seed"], TEXT["mean"], TEXT["paper"]),
        band=(min(rows[0].base), max(rows[0].base)) if rows[0].base else None,
    )
    description = listed_apart(
        TEXT["alt row"].format(row=_name(row), ours=_signed(row.mean), theirs=_signed(row.theirs, 1)) for row in rows
    )
    alt = TEXT["alt"].format(said=description)
    draw_picture(figure, key="ablations", file_name="table-3", alt=alt, files=[file])


def _base(runs: Runs) -> str:
    base = runs.get(BASE, {})
    if not base:
        return TEXT["no base"]
    return TEXT["base line"].format(
        bleu=_spread(base, "sacrebleu", 1),
        tokenized=_spread(base, "tokenized_bleu", 1),
        perplexity=_spread(base, "perplexity", 2),
        n=len(base),
        theirs=paper_rows()[0].bleu,
    )


def _spread(runs: Mapping[int, RunScores], measure: str, places: int) -> str:
    values = [getattr(run, measure) for run in runs.values()]
    middle, low, high = (f"{value:.{places}f}" for value in (fmean(values), min(values), max(values)))
    return middle if len(values) == 1 else TEXT["spread"].format(mean=middle, low=low, high=high)


def _claims(rows: Sequence[VariantRow]) -> str:
    lines = [of_row(rows, name).sentence(TEXT, f"claim {name}") for name in CLAIMS]
    return "\n".join((TEXT["claims"], "", *(f"- {line}" for line in lines)))


def _others(rows: Sequence[VariantRow]) -> str:
    titles = {"row": lambda variant: TEXT[f"name {variant}"]}
    claims = {
        "claim direction": direction(rows),
        "claim other way": other_way(rows),
        "claim no direction": no_direction(rows),
        "claim size": size(rows),
    }
    return paragraph(claim.sentence(TEXT, key, titles) for key, claim in claims.items())


def _name(row: VariantRow) -> str:
    return TEXT[f"name {row.variant}"]


def _signed(value: float | None, places: int = 2) -> str:
    if value is None:
        return TEXT["none"]
    return with_sign(value, places)


def _table(rows: Sequence[VariantRow], runs: Runs, measure: str) -> tuple[list[str], list[list[str]]]:
    names = ("group", "row", "difference", "worst to best", "seeds", "paper", "way")
    headings = [TEXT[name] for name in names] + [TEXT[f"bleu {measure}"]]
    headings += [TEXT[name] for name in ("perplexity", "parameters", "seconds")]
    return headings, [_cells(row, runs.get(row.variant, {}), measure) for row in rows]


def _cells(row: VariantRow, runs: Mapping[int, RunScores], measure: str) -> list[str]:
    low, high = (_signed(end(row.ours.values(), default=None)) for end in (min, max))
    cells = [
        TEXT[f"group {row.group}"],
        _name(row),
        _signed(row.mean),
        TEXT["from to"].format(low=low, high=high) if row.ours else TEXT["none"],
        str(len(runs)),
        _signed(row.theirs, 1),
        "" if row.variant == BASE else TEXT[f"verdict {row.verdict}"],
    ]
    if not runs:
        return [*cells, "", "", "", ""]
    first = next(iter(runs.values()))
    means = [fmean(getattr(run, name) for run in runs.values()) for name in (measure, "perplexity", "seconds_per_step")]
    seconds = TEXT["none"] if np.isnan(means[2]) else f"{means[2]:.2f}"
    return [*cells, f"{means[0]:.2f}", f"{means[1]:.2f}", f"{first.n_parameters / 1e6:.2f}", seconds]


def _as_csv(headings: Sequence[str], cells: Sequence[Sequence[str]], rows: Sequence[VariantRow]) -> str:
    """Return the table as CSV: differences are numbers that programs read, with a column for each end."""
    difference, ends, paper = (headings.index(TEXT[name]) for name in ("difference", "worst to best", "paper"))
    names, written = [*headings], [[*row] for row in cells]
    names[ends : ends + 1] = [TEXT["worst seed"], TEXT["best seed"]]
    for row, own in zip(rows, written, strict=True):
        own[difference], own[paper] = (_or_nothing(value) for value in (row.mean, row.theirs))
        own[ends : ends + 1] = [_or_nothing(end(row.ours.values(), default=None)) for end in (min, max)]
    return rows_as_csv(names, written)


def _or_nothing(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _show_longer(runs: Runs, longer: Runs) -> None:
    rows = longer_rows(runs, longer)
    if not rows:
        return
    st.header(TEXT["longer"], anchor="longer")
    picture, words = st.columns(2, gap="large")
    with picture:
        _draw_longer(rows, _n_steps(runs), _n_steps(longer))
    with words:
        seeds = [len(longer[BASE]), *(len(row.longer) for row in rows)]
        least, most = min(seeds), max(seeds)
        st.markdown(
            TEXT["longer intro"].format(
                short=_n_steps(runs),
                longer=_n_steps(longer),
                before=_spread(runs[BASE], MEASURE, 1),
                after=_spread(longer[BASE], MEASURE, 1),
                seeds=least if least == most else TEXT["from to"].format(low=least, high=most),
            )
        )
        titles = {"row": lambda variant: TEXT[f"name {variant}"]}
        lines = (kept(rows, how).sentence(TEXT, f"claim {how}", titles) for how in get_args(Kept))
        st.markdown("\n".join(f"- {line}" for line in lines if line))


def _draw_longer(rows: Sequence[LongerRow], short: int, longer: int) -> None:
    figure = differences(
        [Differences(TEXT[f"name {row.variant}"], row.longer, fmean(row.short.values())) for row in rows],
        x_name=TEXT["difference"],
        # Short, so that two stand side by side on a phone.
        legend=(TEXT["seed"], TEXT["mean"], TEXT["n steps"].format(steps=short)),
        lowest=-math.inf,
    )
    description = listed_apart(
        TEXT["alt longer row"].format(
            row=TEXT[f"name {row.variant}"],
            before=_signed(fmean(row.short.values())),
            after=_signed(fmean(row.longer.values())),
        )
        for row in rows
    )
    alt = TEXT["alt longer"].format(short=short, longer=longer, said=description)
    file = File(TEXT["download"], lambda: _longer_csv(rows, short, longer), "longer.csv")
    draw_picture(figure, key="ablations-longer", file_name="longer", alt=alt, files=[file])


def _longer_csv(rows: Sequence[LongerRow], short: int, longer: int) -> str:
    means = [TEXT["n steps mean"].format(steps=steps) for steps in (short, longer)]
    headings = [TEXT["row"], *means, TEXT["worst seed"], TEXT["best seed"], TEXT["seeds"]]
    return rows_as_csv(
        headings,
        (
            [
                TEXT[f"name {row.variant}"],
                *(_or_nothing(value) for value in (fmean(row.short.values()), fmean(row.longer.values()))),
                *(_or_nothing(end(row.longer.values())) for end in (min, max)),
                len(row.longer),
            ]
            for row in rows
        ),
    )


def _n_steps(runs: Runs) -> int:
    return next(iter(runs[BASE].values())).n_steps


def _show_curves(results: pd.DataFrame, runs: Runs) -> None:
    st.header(TEXT["curves"], anchor="curves")
    if not runs:
        st.markdown(TEXT["no curves"])
        return
    with st.container(horizontal=True, key="ablations-curves"):
        chosen = select(_ROW, TEXT["row"], width=240)
        measure = choose(_CURVE, TEXT["measure"])
    drawn = {}
    for number, variant in enumerate((BASE, chosen)):
        steps, values = curves(results, variant, measure)
        if steps:
            drawn[TEXT[f"name {variant}"]] = Seeds(steps, values, number)
    if chosen not in runs:
        st.markdown(TEXT["row not measured"].format(row=TEXT[f"name {chosen}"]))
    figure = cliff(
        drawn,
        longest_trained=None,
        x_name=TEXT["step"],
        y_name=TEXT[f"axis {measure}"],
        marked="",
        y_range=None,
        height=_CURVE_HEIGHT,
    )
    description = listed_apart(
        TEXT["alt curve"].format(row=name, last=f"{fmean(seeds.values[:, -1]):.2f}") for name, seeds in drawn.items()
    )
    alt = TEXT["alt curves"].format(measure=TEXT[f"axis {measure}"], said=description)
    draw_picture(figure, key="ablations-curve", file_name="curves", alt=alt)


if __name__ == "__main__":
    show()
