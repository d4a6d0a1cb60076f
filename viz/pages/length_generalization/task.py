"""What the pages of the topic begin with: the published results, and the task, which they hand on to each other."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.tasks import find, length_tasks
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.words import page_text
from viz.pages.length_generalization.accuracy import tasks_measured
from viz.shell.controls import place_for_warnings, warn_bad_links
from viz.shell.model_words import model_words, task_title
from viz.shell.state import keep_in_session, kept, linked_value, set_link
from viz.shell.zoo import results

TEXT = page_text("pages/length_generalization/task")
_KEY = "task"


@dataclass(frozen=True)
class _LastTask:
    """The task that was looked at last, and on which page of the topic."""

    name: str
    page: str


def read_results(warnings: DeltaGenerator) -> pd.DataFrame:
    """Return the published results; none, and a sentence in ``warnings``, where they are damaged."""
    try:
        return results()
    except (OSError, ValueError):
        warnings.warning(TEXT["damaged"])
        return pd.DataFrame()


def choose_task(page: str) -> tuple[pd.DataFrame, str]:
    """Draw the choice of a task on ``page``, which opens on that of the page before; return the results and the task.

    What a link says comes first.
    """
    warnings = place_for_warnings()
    found = read_results(warnings)
    # A task without results has nothing to show; without any results, a page says what makes them.
    tasks = tasks_measured(found) or list(length_tasks())
    field = labelled(_KEY, worded(tasks, task_title))
    warn_bad_links(warnings, [field])
    last = kept(_LastTask)
    if last is None:
        st.session_state[_KEY] = linked_value(field)
    elif last.page != page or _KEY not in st.session_state:
        st.session_state[_KEY] = last.name if last.name in tasks else field.default
        # The browser has left the link of the page before, of which the server still knows.
        st.query_params.pop(_KEY, None)
    # Not bound to the link by Streamlit, which leaves out of it what another page has set.
    task = st.selectbox(TEXT["task"], tasks, format_func=task_title, key=_KEY, width=320)
    set_link(field, task)
    keep_in_session(_LastTask(task, page))
    st.markdown(model_words(find(task).description.explanation))
    return found, task
