"""Encodings as published, a fold of Past the trained length: what our simpler forms leave out."""

from collections.abc import Iterable, Sequence

import pandas as pd
import streamlit as st

from viz.base.exports import rows_as_csv
from viz.base.words import page_text, paragraph
from viz.components.table import table
from viz.pages.length_generalization.names import encoding_title, pair_title
from viz.pages.length_generalization.study.published_forms import (
    CLAIMS,
    FormPair,
    acts_in_training,
    form_pairs,
    window_of,
)
from viz.pages.length_generalization.study.ranking import Score
from viz.shared.model_words import task_title
from viz.shell.computed import computed_once
from viz.shell.controls import download

TEXT = page_text("pages/length_generalization/published_forms")
_form_pairs = computed_once(form_pairs, max_entries=2)


def show_published_forms(zoo_results: pd.DataFrame) -> None:
    """Show, folded, both forms of each encoding that was trained in both, task by task, if any was."""
    pairs = _form_pairs(zoo_results)
    if not pairs:
        return
    tasks = tuple(dict.fromkeys(pair.task for pair in pairs))
    with st.expander(TEXT["title"]):
        st.markdown(_verdict(pairs))
        st.html(table([TEXT["encoding"], *map(task_title, tasks)], _rows(pairs, tasks), name=TEXT["title"]))
        st.caption(TEXT["how to read"])
        st.markdown(TEXT["what differs"].format(window=window_of("rnope_window")))
        download(TEXT["download"], lambda: _as_csv(pairs), "published-forms.csv")


def _verdict(pairs: Sequence[FormPair]) -> str:
    if not any(pair.is_judged for pair in pairs):
        return TEXT["once"]
    return paragraph(claim(pairs).sentence(TEXT, key, {"pair": pair_title}) for key, claim in CLAIMS.items())


def _rows(pairs: Sequence[FormPair], tasks: Sequence[str]) -> Iterable[Sequence[str]]:
    cells = {(pair.name, pair.task): _cell(pair) for pair in pairs}
    for name in dict.fromkeys(pair.name for pair in pairs):
        yield encoding_title(name), *(cells.get((name, task)) or _without_pair(name, task) for task in tasks)


def _without_pair(name: str, task: str) -> str:
    return TEXT["not measured" if acts_in_training(name, task) else "left out"]


def _cell(pair: FormPair) -> str:
    return TEXT["cell"].format(own=_score(pair.own), published=_score(pair.published))


def _score(score: Score) -> str:
    if not score.has_learned:
        return TEXT["not learned"]
    key = "score" if len(score.by_seed) > 1 else "score one"
    return TEXT[key].format(mean=score.mean, low=score.low, high=score.high)


def _as_csv(pairs: Iterable[FormPair]) -> str:
    rows = (
        [task_title(pair.task), encoding_title(pair.name), str(seed), *(_value(form, seed) for form in pair.forms)]
        for pair in pairs
        for seed in sorted({*pair.own.by_seed, *pair.published.by_seed})
    )
    names = ("csv task", "encoding", "csv seed", "csv own", "csv published")
    return rows_as_csv([TEXT[name] for name in names], rows)


def _value(score: Score, seed: int) -> str:
    return f"{score.by_seed[seed]:.4f}" if seed in score.by_seed else ""
