"""Models and hooks: the cards of the shipped models, and every hook point with its shape."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from model.checkpoint import DamagedWeightsError
from model.hooks import HOOKS, HookPoint
from pretrained import ModelCard, read_card, shipped
from viz.base.exports import rows_as_csv
from viz.base.link_parameters import Text, in_link
from viz.base.words import page_text
from viz.components.table import table
from viz.shell.controls import text_input
from viz.shell.shipped import DEFAULT_TRANSLATOR, damage

TEXT = page_text("pages/reference/models_and_hooks")
MAX_QUERY = 100
_QUERY = Text("hook", "", MAX_QUERY)

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
    names = shipped()
    tables, words = st.columns([2, 1], gap="large")
    with tables:
        st.header(TEXT["models"], anchor="models")
        if not names:
            st.markdown(TEXT["none"])
        for name in names:
            _show_model(name)
    with words:
        st.header(TEXT["record"], anchor="record")
        st.markdown(TEXT["how to record"])
        st.code(snippet(DEFAULT_TRANSLATOR), language=None, wrap_lines=True)
    st.header(TEXT["hook points"], anchor="hook-points")
    _show_hooks()


def snippet(model: str) -> str:
    """Return Python that records every attention pattern of ``model`` and takes out the first."""
    point = next(point for point in HOOKS if point.name.endswith(".pattern"))
    return SNIPPET.format(model=model, name=point.name.format(layer=0), shape=point.shape)


def _show_hooks() -> None:
    label = TEXT["search"].format(count=len(HOOKS))
    search = HookSearch(text_input(_QUERY, label, placeholder=TEXT["search placeholder"]))
    st.markdown(TEXT["axes"])
    points = matching(search.query)
    if not points:
        st.text(TEXT["nothing found"].format(query=search.query))
        return
    columns = ("name", "shape", "description")
    rows = ([point.name, point.shape, point.description] for point in points)
    st.html(table([TEXT[column] for column in columns], rows, code_columns=(0, 1)))


def matching(query: str) -> list[HookPoint]:
    """Return the hook points in which every word of ``query`` occurs, whatever its case."""
    words = query.casefold().split()
    return [
        point
        for point in HOOKS
        if all(word in f"{point.name} {point.shape} {point.description}".casefold() for word in words)
    ]


def _show_model(name: str) -> None:
    try:
        card = read_card(name)
    except DamagedWeightsError as error:
        st.warning(TEXT["damaged"].format(name=name, reason=damage(error)))
        return
    st.markdown(_demoted(card))
    st.caption(TEXT["size"].format(megabytes=card.n_bytes / 1e6))
    for column, title, values in zip(
        st.columns(2), ("metrics", "configuration"), (card.metrics, asdict(card.config)), strict=True
    ):
        with column:
            _show_entries(name, title, list(flat(values)))


def _demoted(card: ModelCard) -> str:
    """Return the card's text with its headings two levels lower, under the page's own."""
    return "\n".join(f"##{line}" if line.startswith("#") else line for line in card.text.splitlines())


def _show_entries(model: str, title: str, entries: list[tuple[str, str]]) -> None:
    headings = [TEXT[title], TEXT["value"]]
    st.html(table(headings, entries, code_columns=(0, 1)))
    st.download_button(
        TEXT["download"],
        rows_as_csv(headings, entries),
        file_name=f"{model}-{title}.csv",
        mime="text/csv",
        key=f"{model} {title}",
        on_click="ignore",
        type="tertiary",
    )


def flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield every entry of nested ``values`` as its dotted name and its value as text."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, str(value)


show()
