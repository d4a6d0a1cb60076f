"""Families of tasks on every page, by what their tasks ask of positions."""

from viz.base.words import page_text
from viz.shared.model_words import task_title

TEXT = page_text("shared/families")


def family_title(name: str) -> str:
    """Return what the tasks of the family ``name`` ask for; of a task that is its own family, its title."""
    return TEXT[f"family {name}"] if f"family {name}" in TEXT else task_title(name)
