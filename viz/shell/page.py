"""What every page begins and ends with."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from viz.base.colours import Theme
from viz.shell.navigation import Page, moved_to

_STYLE = Path(__file__).with_name("style.css")


def begin_page(question: str) -> None:
    """Apply the style sheet and write the one line that the page answers."""
    st.html(_STYLE)
    st.title(question, anchor=False)


def end_page(following: StreamlitPage, label: str) -> None:
    """Lead on to the page ``following``, under ``label``."""
    st.page_link(following, label=label)


def pages_at_old_addresses(shown: Mapping[Page, StreamlitPage]) -> list[StreamlitPage]:
    """Return a page for every address that a part of it has left: it leads on to that part, with all of its link."""

    def lead_on(parts: list[Page]) -> Callable[[], None]:
        def follow() -> None:
            parameters = {name: st.query_params.get_all(name) for name in st.query_params}
            st.switch_page(shown[moved_to(parts, parameters)], query_params=parameters)

        return follow

    parts_of: dict[str, list[Page]] = {}
    for page in filter(lambda page: page.old_address, shown):
        parts_of.setdefault(page.old_address, []).append(page)
    return [
        st.Page(lead_on(parts), title=parts[0].title, url_path=address, visibility="hidden")
        for address, parts in parts_of.items()
    ]


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
