"""Save and Full screen at the top right of a Plotly chart, which is found beside them on the page."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from viz.base.languages import language
from viz.components.browser import MENU_STYLE, bundle, menu_header

_FOLDER = Path(__file__).parent
_mount = st.components.v2.component("picture_bar", css=MENU_STYLE, js=bundle(_FOLDER / "main.js"))


def picture_bar(chart: str, name: str, *, files: Sequence[Mapping[str, str]] = (), key: str) -> None:
    """Draw the two for the chart that is the only one in the container ``chart``.

    Args:
        chart: the key of that container.
        name: what the picture shows, for those who hear the buttons.
        files: what the menu offers besides pictures: a label, and the class of the button out of sight that is pressed.
        key: of the widget.
    """
    _mount(
        key=key,
        data={"language": language(), "chart": chart, "name": name, **menu_header(files)},
        width="content",
        height="content",
    )
