"""What every page begins and ends with."""

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from viz.base.colours import Theme

_STYLE = Path(__file__).with_name("style.css")


def begin_page(question: str) -> None:
    """Apply the style sheet and write the one line that the page answers."""
    st.html(_STYLE)
    st.title(question, anchor=False)


def end_page(following: StreamlitPage, label: str) -> None:
    """Lead on to the page ``following``, under ``label``."""
    st.page_link(following, label=label)


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
