"""Scroll to the top of the page when its content changes."""

from pathlib import Path

import streamlit as st

_mount = st.components.v2.component("page_top", js=Path(__file__).with_name("page_top.js").read_text(encoding="utf-8"))


def page_top(content: int, *, key: str) -> None:
    """Scroll to the top where ``content`` is not what the page showed before."""
    _mount(key=key, data=content)
