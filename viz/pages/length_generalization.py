"""Length generalization: how far past the lengths they were trained on the models of the zoo stay right."""

import streamlit as st

from model.tasks import find, registered
from viz.pages.controls import choice_rule, place_for_warnings, refused
from viz.pages.zoo_accuracy import tasks_measured
from viz.pages.zoo_cliff import show_cliff
from viz.pages.zoo_race import show_race
from viz.pages.zoo_state import results
from viz.text import page_text

TEXT = page_text("length_generalization")
# Each is given the name of the task.
_SECTIONS = (
    show_cliff,
    show_race,
)


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    try:
        measured = tasks_measured(results())
    except (OSError, ValueError):
        warnings.warning(TEXT["damaged"])
        measured = []
    tasks = [*measured, *(name for name in registered() if name not in measured)]
    for problem in refused([choice_rule("task", map(_title, tasks))]):
        warnings.warning(TEXT["bad link"].format(given=problem.given, allowed=problem.allowed))
    task = st.selectbox(TEXT["task"], tasks, format_func=_title, key="task", bind="query-params", width=320)
    st.markdown(find(task).description.explanation)
    for section in _SECTIONS:
        section(task)


def _title(task: str) -> str:
    return find(task).description.title


show()
