"""Hooks: every hook point with its shape, and how to record what passes it."""

from dataclasses import dataclass

import streamlit as st

from model.hooks import HOOKS, HookPoint
from viz.base.link_parameters import Text, in_link
from viz.base.words import page_text
from viz.components.diagram import picked_mark, show_diagram
from viz.components.table import table
from viz.pages.reference.hook_drawing import hook_drawings
from viz.shared.model_words import model_words
from viz.shared.shipped import DEFAULT_TRANSLATOR
from viz.shell.controls import key_class, text_input
from viz.shell.page import theme

TEXT = page_text("pages/reference/hooks")
MAX_QUERY = 100
_QUERY = Text("hook", "", MAX_QUERY)
_COLUMNS = ("name", "shape", "description")
_DRAWING, _SEARCH = "hook-drawing", "hook-search"

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
    drawing = st.container(key="drawn-hooks", gap="small")
    points, words = st.columns([2, 1], gap="large")
    with points:
        matches = _show_hooks()
    with drawing:
        _show_drawing(matches)
    with words:
        st.header(TEXT["record"], anchor="record")
        st.markdown(TEXT["how to record"])
        st.code(snippet(DEFAULT_TRANSLATOR), language=None, wrap_lines=True)
        st.markdown(TEXT["axes"])


def snippet(model: str) -> str:
    """Return Python that records every attention pattern of ``model`` and takes out the first."""
    point = next(point for point in HOOKS if point.name.endswith(".pattern"))
    return SNIPPET.format(model=model, name=point.name.format(layer=0), shape=point.shape)


def _show_drawing(matches: list[HookPoint]) -> None:
    """Draw the places of the hook points with the matches highlighted; a chosen point is searched for."""
    tooltips = {point.name: f"{point.name}\n{point.shape}\n{model_words(point.description)}" for point in HOOKS}
    show_diagram(
        hook_drawings(tooltips, TEXT),
        lit=[point.name for point in matches],
        theme=theme(),
        name=TEXT["drawing"],
        alt=TEXT["drawing alt"].format(count=len(HOOKS)),
        file_name="hooks",
        key=_DRAWING,
        on_pick=_search_picked,
        leads_to=key_class(_SEARCH),
    )
    st.caption(TEXT["how to read"])


def _search_picked() -> None:
    picked = picked_mark(_DRAWING)
    if picked in {point.name for point in HOOKS}:
        st.session_state[_QUERY.key] = picked


def _show_hooks() -> list[HookPoint]:
    """Draw the search and its rows; return the points that were found."""
    label = TEXT["search"].format(count=len(HOOKS))
    with st.container(key=_SEARCH):
        search = HookSearch(text_input(_QUERY, label, placeholder=TEXT["search placeholder"]))
    points = matching(search.query)
    if not points:
        st.text(TEXT["nothing found"].format(query=search.query))
        return points
    rows = ([point.name, point.shape, model_words(point.description)] for point in points)
    with st.container(key="hook-points"):
        st.html(table([TEXT[column] for column in _COLUMNS], rows, code_columns=(0, 1), name=TEXT["hook points"]))
    return points


def matching(query: str) -> list[HookPoint]:
    """Return the hook points in which every word of ``query`` occurs, whatever its case."""
    words = query.casefold().split()
    texts = {
        point: f"{point.name} {point.shape} {point.description} {model_words(point.description)}" for point in HOOKS
    }
    return [point for point, text in texts.items() if all(word in text.casefold() for word in words)]
