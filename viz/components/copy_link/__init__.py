"""A button that puts the page's own address, with all that it carries, on the clipboard."""

from pathlib import Path

import streamlit as st

from viz.components.browser import bundle

_FOLDER = Path(__file__).parent
_mount = st.components.v2.component(
    "copy_link",
    css=(_FOLDER / "copy_link.css").read_text(encoding="utf-8"),
    js=bundle(_FOLDER / "copy_link.js"),
)


def copy_link(label: str, copied: str, *, key: str) -> None:
    """Draw the button with ``label``, which says ``copied`` for a moment once it has been pressed."""
    _mount(key=key, data={"label": label, "copied": copied}, width="content")
