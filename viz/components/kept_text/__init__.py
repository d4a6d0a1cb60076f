"""A text kept in the visitor's browser, available on another day and in another tab."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from viz.components.browser import bundle, sent

_mount = st.components.v2.component("kept_text", js=bundle(Path(__file__).parent / "kept_text.js"))


def keep_text(name: str, text: str, *, on_return: Callable[[], None]) -> None:
    """Keep ``text``, unless it is empty, in the browser under ``name``, which is also the widget's key.

    What was kept before comes back once, when the page opens: :func:`kept_text` tells of it, in ``on_return`` alone.
    """
    _mount(key=name, data={"name": name, "text": text}, height=0, on_kept_change=on_return)


def kept_text(name: str) -> str:
    """Return what the browser kept under ``name``, as it says itself."""
    return sent(name, "kept", str) or ""
