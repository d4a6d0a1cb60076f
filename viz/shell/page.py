"""What every page begins and ends with."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from viz.base.colours import Theme
from viz.shell.navigation import Page, moved_to

_STYLE, _EMBEDDED_STYLE = (Path(__file__).with_name(name) for name in ("style.css", "embedded.css"))


def begin_page(question: str) -> None:
    """Apply the style sheet and write the one line that the page answers; embedded, a page is its pictures alone."""
    st.html(_STYLE)
    if st.context.is_embedded:
        st.html(_EMBEDDED_STYLE)
    else:
        st.title(question, anchor=False)


def end_page(following: StreamlitPage, label: str) -> None:
    """Lead on to the page ``following``, under ``label``; an embedded page leads nowhere."""
    if not st.context.is_embedded:
        st.page_link(following, label=label)


def lead_on(page: Page, shown: Mapping[Page, StreamlitPage]) -> None:
    """Leave ``page`` for the one that a part of it has become, where the link is one to that part."""
    parts = [page, *(part for part in shown if part.old_address == page.url_path)]
    meant = moved_to(parts, st.query_params)
    if meant is not page:
        _follow(shown[meant])


def pages_at_old_addresses(shown: Mapping[Page, StreamlitPage]) -> list[StreamlitPage]:
    """Return a page for every address that is no page's any more: it leads on to a part of that page, with its link."""

    def leading(parts: list[Page]) -> Callable[[], None]:
        return lambda: _follow(shown[moved_to(parts, st.query_params)])

    parts_of: dict[str, list[Page]] = {}
    there = {page.url_path for page in shown}
    for page in shown:
        if page.old_address and page.old_address not in there:
            parts_of.setdefault(page.old_address, []).append(page)
    return [
        st.Page(leading(parts), title=parts[0].title, url_path=address, visibility="hidden")
        for address, parts in parts_of.items()
    ]


def _follow(page: StreamlitPage) -> None:
    st.switch_page(page, query_params={name: st.query_params.get_all(name) for name in st.query_params})


def theme() -> Theme:
    """Return the theme that the browser shows; light while it is not known."""
    return "dark" if st.context.theme.type == "dark" else "light"


def plot_config(file_name: str) -> dict[str, Any]:
    """Return Plotly's settings: one button, which saves the picture as SVG under ``file_name``."""
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": file_name},
    }
