"""Head of the topic's pages: the published results, and the task, which one page hands to the next."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.tasks import find, length_tasks
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.words import listed_apart, page_text, paragraph
from viz.pages.length_generalization.accuracy import tasks_measured
from viz.shared.model_words import model_words, task_title
from viz.shared.zoo import results
from viz.shell.controls import place_for_warnings, select, warn_bad_links

TEXT = page_text("pages/length_generalization/task")


def read_results(warnings: DeltaGenerator) -> pd.DataFrame:
    """Return the published results; none, and a sentence in ``warnings``, where they are damaged."""
    try:
        return results()
    except (OSError, ValueError):
        warnings.warning(TEXT["damaged"])
        return pd.DataFrame()


def choose_task() -> tuple[pd.DataFrame, str]:
    """Draw the choice of a task, which goes along from page to page; return the results and the task."""
    warnings = place_for_warnings()
    results = read_results(warnings)
    # A task without results has nothing to show; without any results, a page says what makes them.
    tasks = tasks_measured(results) or list(length_tasks())
    field = labelled("task", worded(tasks, task_title))
    warn_bad_links(warnings, [field])
    task = select(field, TEXT["task"], width=320)
    st.markdown(model_words(find(task).description.explanation))
    return results, task


def say_nothing_here(reason: str, others: Iterable[str]) -> None:
    """Say why a page has nothing on the task, in its own words, and for which ``others`` it has something."""
    titles = listed_apart(map(task_title, others))
    st.markdown(paragraph([reason, TEXT["others"].format(tasks=titles) if titles else ""]))
