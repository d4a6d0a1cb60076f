"""Shared parts of results pages: one for each measurement, with its command where none is there."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from viz.base.words import page_text

TEXT = page_text("pages/transformer_xl/measured")
Found = TypeVar("Found")


def read_or_warn(read: Callable[[], Found], otherwise: Found) -> Found:
    """Return a measurement; where its file is damaged, show a warning and return ``otherwise``."""
    try:
        return read()
    except (OSError, ValueError, KeyError, TypeError):
        st.warning(TEXT["damaged"])
        return otherwise


def show_part(name: str, title: str, command: str, show: Callable[[], None], *, is_there: bool) -> None:
    """Draw the part ``name`` under its ``title``; without a measurement, show its ``command``."""
    st.header(title, anchor=f"curves-{name}")
    if is_there:
        show()
        return
    st.markdown(TEXT["not measured"])
    st.code(command, language=None, wrap_lines=True)
