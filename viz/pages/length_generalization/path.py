"""PaTH, a fold of the page Past the trained length: where it holds, and what it costs."""

from collections.abc import Iterable, Sequence

import pandas as pd
import streamlit as st

from viz.base.exports import rows_as_csv
from viz.base.words import page_text, paragraph
from viz.components.table import table
from viz.pages.length_generalization.names import encoding_title
from viz.pages.length_generalization.study.path import (
    FAR,
    PATH,
    PathOnTask,
    costs,
    holds,
    near_guessing,
    path_on_tasks,
    with_more_seeds,
)
from viz.pages.length_generalization.study.ranking import Score
from viz.shared.model_words import task_title
from viz.shell.computed import computed_once
from viz.shell.controls import download

TEXT = page_text("pages/length_generalization/path")
_path_on_tasks = computed_once(path_on_tasks, max_entries=2)


def show_path(zoo_results: pd.DataFrame, encoding_costs: pd.DataFrame) -> None:
    """Show, folded, PaTH on its tasks beside the best seed of the others, if there are results."""
    everywhere = _path_on_tasks(zoo_results)
    entries = with_more_seeds(everywhere)
    if not entries:
        return
    with st.expander(TEXT["title"]):
        claims = {"claim holds": holds(everywhere), "claim near guessing": near_guessing(entries)}
        st.markdown(paragraph(claim.sentence(TEXT, key, {"task": task_title}) for key, claim in claims.items()))
        headings = [TEXT["task"], encoding_title(PATH), TEXT["other"], TEXT["far"].format(times=FAR)]
        st.html(table(headings, map(_row, entries), name=TEXT["title"]))
        st.caption(TEXT["how to read"].format(times=FAR))
        for words in filter(None, (TEXT["theory"], costs(encoding_costs).sentence(TEXT, "claim costs"))):
            st.markdown(words)
        download(TEXT["download"], lambda: _as_csv(entries), "path.csv")


def _row(entry: PathOnTask) -> Sequence[str]:
    other = TEXT["none learned"]
    if entry.other is not None and entry.other_score is not None:
        other = TEXT["cell other"].format(encoding=encoding_title(entry.other), high=entry.other_score.high)
    return task_title(entry.task), _cell(entry.own), other, _cell(Score(entry.far)) if entry.far else ""


def _cell(score: Score) -> str:
    seeds = len(score.by_seed)
    key = "cell" if seeds > 1 else "cell one"
    cell = TEXT[key].format(mean=score.mean, low=score.low, high=score.high, seeds=seeds)
    return cell if score.has_learned else TEXT["not learned"].format(cell=cell)


def _as_csv(entries: Iterable[PathOnTask]) -> str:
    headings = [*(TEXT[name] for name in ("task", "csv seed", "csv past")), TEXT["csv far"].format(times=FAR)]
    rows = (
        [task_title(entry.task), str(seed), f"{value:.4f}", f"{entry.far[seed]:.4f}" if seed in entry.far else ""]
        for entry in entries
        for seed, value in entry.own.by_seed.items()
    )
    return rows_as_csv(headings, rows)
