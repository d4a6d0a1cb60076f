"""Length generalization: how far past the lengths they were trained on the models of the zoo stay right."""

import numpy as np
import pandas as pd
import streamlit as st

from model.tasks import find, registered
from pretrained.zoo_store import zoo_results
from viz.components.table import table
from viz.figures.cliff import Seeds, cliff
from viz.files import rows_as_csv
from viz.pages.controls import choice_rule, download, place_for_warnings, refused
from viz.pages.shared import plot_config, theme
from viz.pages.zoo_accuracy import accuracy, best, longest_trained, missing, not_learned, tasks_measured
from viz.pages.zoo_findings import show_findings
from viz.pages.zoo_league import show_league
from viz.pages.zoo_probes import show_probes
from viz.pages.zoo_reach import show_reach
from viz.pages.zoo_wear import show_wear
from viz.text import page_text

TEXT = page_text("length_generalization")


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    results = _read()
    measured = tasks_measured(results)
    tasks = [*measured, *(name for name in registered() if name not in measured)]
    for problem in refused([choice_rule("task", map(_title, tasks))]):
        warnings.warning(TEXT["bad link"].format(given=problem.given, allowed=problem.allowed))
    task = st.selectbox(TEXT["task"], tasks, format_func=_title, key="task", bind="query-params", width=320)
    st.markdown(find(task).description.explanation)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        if task in measured:
            _show_cliff(results, task)
        _say_missing(results, task)
    with words:
        for part in ("what is seen", "what to try", "paper"):
            st.markdown(TEXT[part])
    show_reach(results, task)
    show_probes(task)
    show_wear(results, task)
    show_league(results)
    show_findings(results)


def _read() -> pd.DataFrame:
    try:
        return zoo_results()
    except (OSError, ValueError):
        st.warning(TEXT["damaged"])
        return pd.DataFrame()


def _title(task: str) -> str:
    return find(task).description.title


def _show_cliff(results: pd.DataFrame, task: str) -> None:
    found, trained = accuracy(results, task), longest_trained(results, task)
    unit = find(task).description.unit
    figure = cliff(
        found,
        longest_trained=trained,
        theme=theme(),
        x_name=TEXT["length"].format(unit=unit),
        y_name=TEXT["exact match"],
        marked=TEXT["trained to"].format(length=trained),
    )
    lengths = sorted({length for seeds in found.values() for length in seeds.lengths})
    alt = TEXT["alt"].format(task=_title(task), trained=trained, longest=lengths[-1], encodings=", ".join(found))
    st.plotly_chart(figure, theme=None, key=f"cliff-{task}", config=plot_config(f"cliff-{task}"), alt=alt)
    length = st.select_slider(TEXT["at length"].format(unit=unit), lengths, lengths[-1], key=f"length-{task}")
    _show_table(found, length)
    failed = ", ".join(f"{name} ({value:.2f})" for name, value in not_learned(results, task).items())
    if failed:
        st.markdown(TEXT["not learned"].format(encodings=failed))
    download(TEXT["download"], lambda: _as_csv(results, task), f"cliff-{task}.csv")


def _show_table(found: dict[str, Seeds], length: int) -> None:
    there = {name: _at(seeds, length) for name, seeds in found.items() if length in seeds.lengths}
    ranked = sorted(there, key=lambda name: -float(there[name].mean()))
    rows = [
        [name, f"{there[name].mean():.2f}", ", ".join(f"{value:.2f}" for value in there[name]), str(len(there[name]))]
        for name in ranked
    ]
    headings = [TEXT[name] for name in ("encoding", "mean", "each seed", "seeds")]
    st.html(table(headings, rows, code_columns=(0,), swatches=[found[name].colour for name in ranked]))


def _at(seeds: Seeds, length: int) -> np.ndarray:
    values = seeds.values[:, list(seeds.lengths).index(length)]
    return values[~np.isnan(values)]


def _say_missing(results: pd.DataFrame, task: str) -> None:
    absent = missing(results, task)
    if absent:
        names = ", ".join(f"{name} ({', '.join(map(str, seeds))})" for name, seeds in absent.items())
        st.markdown(TEXT["not trained"].format(encodings=names))
        st.code(TEXT["command"].format(task=task), language=None, wrap_lines=True)


def _as_csv(results: pd.DataFrame, task: str) -> str:
    rows = best(results, task)[["encoding", "seed", "length", "n", "exact_match"]]
    headings = [TEXT[key] for key in ("encoding", "seed", "length of input", "examples", "exact match")]
    return rows_as_csv(headings, rows.itertuples(index=False))


show()
