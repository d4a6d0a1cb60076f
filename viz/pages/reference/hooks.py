"""Hooks: every hook point with its shape, and how to record what passes it."""

from dataclasses import dataclass

import streamlit as st

from model.hooks import HOOKS, HookPoint
from viz.base.link_parameters import Text, in_link
from viz.base.words import page_text
from viz.components.table import table
from viz.shell.controls import text_input
from viz.shell.model_words import model_words
from viz.shell.shipped import DEFAULT_TRANSLATOR

TEXT = page_text("pages/reference/hooks")
MAX_QUERY = 100
_QUERY = Text("hook", "", MAX_QUERY)
_COLUMNS = ("name", "shape", "description")

SNIPPET = """\
from model.hooks import record
from pretrained import load_translator

model = load_translator("{model}")
with record("*.pattern") as seen:
    model.translate("I love to play.")
seen["{name}"]
# {shape}
"""


@dataclass(frozen=True)
class HookSearch:
    """The words that hook points are searched by."""

    query: str = in_link(_QUERY)


def show() -> None:
    """Draw the page."""
    points, words = st.columns([2, 1], gap="large")
    with points:
        _show_hooks()
    with words:
        st.header(TEXT["record"], anchor="record")
        st.markdown(TEXT["how to record"])
        st.code(snippet(DEFAULT_TRANSLATOR), language=None, wrap_lines=True)
        st.markdown(TEXT["axes"])


def snippet(model: str) -> str:
    """Return Python that records every attention pattern of ``model`` and takes out the first."""
    point = next(point for point in HOOKS if point.name.endswith(".pattern"))
    return SNIPPET.format(model=model, name=point.name.format(layer=0), shape=point.shape)


def _show_hooks() -> None:
    label = TEXT["search"].format(count=len(HOOKS))
    search = HookSearch(text_input(_QUERY, label, placeholder=TEXT["search placeholder"]))
    points = matching(search.query)
    if not points:
        st.text(TEXT["nothing found"].format(query=search.query))
        return
    rows = ([point.name, point.shape, model_words(point.description)] for point in points)
    with st.container(key="hook-points"):
        st.html(table([TEXT[column] for column in _COLUMNS], rows, code_columns=(0, 1), name=TEXT["hook points"]))


def matching(query: str) -> list[HookPoint]:
    """Return the hook points in which every word of ``query`` occurs, whatever its case."""
    words = query.casefold().split()
    told = {
        point: f"{point.name} {point.shape} {point.description} {model_words(point.description)}" for point in HOOKS
    }
    return [point for point, text in told.items() if all(word in text.casefold() for word in words)]


if __name__ == "__main__":
    show()
