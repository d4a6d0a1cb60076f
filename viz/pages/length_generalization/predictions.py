"""Predicted and measured, a fold of the page Past the trained length: C-RASP beside our runs."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
import streamlit as st

from model.zoo.predictions import COMPARED, GENERALIZES, Compared, compared
from viz.base.claims import Claim
from viz.base.exports import rows_as_csv
from viz.base.words import page_text, paragraph
from viz.components.table import table
from viz.pages.length_generalization.names import encoding_title, pair_title
from viz.pages.length_generalization.study.predictions import CLAIMS
from viz.shared.model_words import task_title
from viz.shell.computed import computed_once
from viz.shell.controls import download

TEXT = page_text("pages/length_generalization/predictions")


def show_predictions(zoo_results: pd.DataFrame, crasp_results: pd.DataFrame) -> None:
    """Show, folded, the C-RASP prediction for each task and encoding beside our results, if any."""
    if crasp_results.empty:
        return
    entries, claims, _ = _computed(crasp_results, zoo_results)
    with st.expander(TEXT["title"]):
        st.markdown(paragraph(claim.sentence(TEXT, key, {"pair": pair_title}) for key, claim in claims.items()))
        st.html(table([TEXT["task"], *map(encoding_title, COMPARED)], _rows(entries), name=TEXT["title"]))
        st.caption(TEXT["how to read"].format(least=GENERALIZES))
        st.markdown(TEXT["theory"])
        download(TEXT["download"], lambda: _as_csv(entries), "predictions.csv")


def _compute(
    crasp_results: pd.DataFrame, zoo_results: pd.DataFrame
) -> tuple[Sequence[Compared], Mapping[str, Claim], pd.DataFrame]:
    """Return the entries, the claims and, so that its identity is kept with them, ``zoo_results``."""
    claims = {heading: claim(crasp_results, zoo_results) for heading, claim in CLAIMS.items()}
    return compared(crasp_results, zoo_results), claims, zoo_results


_computed = computed_once(_compute, max_entries=2)


def _rows(entries: Sequence[Compared]) -> Iterable[Sequence[str]]:
    for task in dict.fromkeys(entry.task for entry in entries):
        yield task_title(task), *(_cell(entry) for entry in entries if entry.task == task)


def _cell(entry: Compared) -> str:
    says = {True: "holds", False: "falls", None: "says nothing"}[entry.predicted]
    if entry.here is None and entry.predicted is None:
        return TEXT["says nothing"]
    if entry.here is None:
        return TEXT["cell"].format(says=TEXT[says], reached=TEXT["not measured"])
    near, far = entry.here
    reached = TEXT["reached"].format(near=near, far=far) if entry.is_learned else TEXT["not learned"]
    return TEXT["cell"].format(says=TEXT[says], reached=reached)


def _as_csv(entries: Sequence[Compared]) -> str:
    names = ("task", "encoding", "says", "published near", "published far", "near", "far", "known near", "known far")
    rows = (
        [
            task_title(entry.task),
            encoding_title(entry.encoding),
            TEXT[{True: "holds", False: "falls", None: "says nothing"}[entry.predicted]],
            *(number for two in (entry.published, entry.here, entry.known_length) for number in _two(two)),
        ]
        for entry in entries
    )
    return rows_as_csv([TEXT[name] for name in names], rows)


def _two(values: tuple[float, float] | None) -> tuple[str, str]:
    return ("", "") if values is None else (f"{values[0]:.4f}", f"{values[1]:.4f}")
