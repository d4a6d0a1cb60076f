"""Length generalization: how far past the lengths they were trained on the models of the zoo stay right."""

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.tasks import find, registered
from viz.base.link_parameters import choice_of
from viz.base.words import page_text
from viz.pages.length_generalization.accuracy import tasks_measured
from viz.pages.length_generalization.checkpoints import show_checkpoints
from viz.pages.length_generalization.cliff import show_cliff
from viz.pages.length_generalization.edit_model import show_edit_model
from viz.pages.length_generalization.findings import show_findings
from viz.pages.length_generalization.names import task_title
from viz.pages.length_generalization.probes import show_probes
from viz.pages.length_generalization.race import show_race
from viz.pages.length_generalization.ranking import show_ranking
from viz.pages.length_generalization.state import results
from viz.shell.controls import place_for_warnings, warn_bad_links

TEXT = page_text("pages/length_generalization/length_generalization")


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    found = _read(warnings)
    # A task without results has nothing to show; without any results, the page says what makes them.
    tasks = tasks_measured(found) or list(registered())
    warn_bad_links(warnings, [choice_of("task", map(task_title, tasks))])
    task = st.selectbox(TEXT["task"], tasks, format_func=task_title, key="task", bind="query-params", width=320)
    st.markdown(find(task).description.explanation)
    show_cliff(task)
    show_race(task)
    show_edit_model(found, task)
    show_probes(task)
    show_checkpoints(found, task)
    show_ranking(found)
    show_findings(found)


def _read(warnings: DeltaGenerator) -> pd.DataFrame:
    try:
        return results()
    except (OSError, ValueError):
        warnings.warning(TEXT["damaged"])
        return pd.DataFrame()


show()
