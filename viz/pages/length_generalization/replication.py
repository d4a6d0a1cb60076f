"""Replication: the paper's ranking and its findings beside our own runs."""

from collections.abc import Iterable, Mapping

import pandas as pd
import streamlit as st

from viz.base.words import listed_apart, page_text, paragraph
from viz.pages.length_generalization.findings import show_findings
from viz.pages.length_generalization.names import encoding_title
from viz.pages.length_generalization.ranked import named_first_two, show_ranked, show_source, spread_of_seeds
from viz.pages.length_generalization.study.published import published
from viz.pages.length_generalization.study.ranking import (
    LARGE,
    Disagreement,
    Ranking,
    Score,
    Scores,
    compared_ranking,
    disagreements,
    first_two,
    means,
    n_compared,
    scores,
)
from viz.pages.length_generalization.task import read_results
from viz.shared.model_words import task_title
from viz.shell.controls import place_for_warnings

TEXT = page_text("pages/length_generalization/replication")


def show() -> None:
    """Draw the page."""
    results = read_results(place_for_warnings())
    show_compared(results)
    show_findings(results)
    show_source()


def show_compared(results: pd.DataFrame) -> None:
    """Show our ranking beside the paper's, and where the two part."""
    ours = scores(results)
    compared = compared_ranking(means(ours), published().tasks)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        show_ranked(
            compared,
            name="compared",
            heading=TEXT["compared heading"],
            alt=TEXT["alt compared"],
            alt_one=TEXT["alt compared one"],
        )
        if not ours:
            st.markdown(TEXT["no results"])
        st.markdown(_compared(compared) if compared.tasks else TEXT["not compared"])
    with words:
        _say_disagreements(ours)


def _compared(shown: Ranking) -> str:
    is_same = bool(first_two(shown.ours) & first_two(shown.theirs))
    absent = [encoding_title(name) for name in published().encodings if name not in shown.encodings]
    compared = TEXT["compared"].format(
        tasks=len(shown.tasks),
        published=len(published().tasks),
        encodings=len(shown.encodings),
        same=TEXT["same first two"] if is_same else TEXT["other first two"],
        **named_first_two(shown.ours),
        **named_first_two(shown.theirs, "paper_"),
    )
    return paragraph([compared, TEXT["not drawn"].format(encodings=listed_apart(absent)) if absent else ""])


def _say_disagreements(by_task: Scores) -> None:
    ours = means(by_task)
    parted = disagreements(ours, published().tasks)
    n_tasks, n_pairs = n_compared(ours, published().tasks)
    if not n_tasks:
        st.markdown(TEXT["nothing compared"])
        return
    name = "disagree" if parted else "agree"
    summary = TEXT[name].format(
        order=sum(entry.is_order for entry in parted),
        far=sum(len(entry.far) for entry in parted),
        tasks=n_tasks,
        pairs=n_pairs,
        large=LARGE,
    )
    lines = [f"- **{task_title(entry.task)}:** {' '.join(_sentences(entry, by_task[entry.task]))}" for entry in parted]
    st.markdown("\n".join((summary, "", *lines)))


def _sentences(entry: Disagreement, row: Mapping[str, Score]) -> Iterable[str]:
    if entry.is_order:
        yield TEXT["order differs"].format(**named_first_two(entry.ours), **named_first_two(entry.theirs, "paper_"))
    for name in entry.far:
        yield TEXT["far apart"].format(
            encoding=encoding_title(name),
            paper=entry.theirs[name],
            here=entry.ours[name],
            detail=spread_of_seeds(row[name], TEXT["detail"]),
        )
