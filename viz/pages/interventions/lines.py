"""Translations below each other, with the words marked in which they differ."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from viz.base.colours import style_variables
from viz.pages.interventions.study.ablated import MarkedWord
from viz.shell.page import theme


def show_lines(name: str, lines: Sequence[tuple[str, tuple[MarkedWord, ...], str]]) -> None:
    """Draw ``lines``: what each is, its words, and a note; ``name`` is what they are, for those who hear them."""
    rows = "".join(
        f"<p><b>{escape(title)}</b> <span class='words'>{marked(words)}</span> <small>{escape(note)}</small></p>"
        for title, words, note in lines
    )
    region = f'class="two-lines" role="group" aria-label="{escape(name)}" style="{style_variables(theme())}"'
    st.html(f"<div {region}>{rows}</div>")


def marked(words: tuple[MarkedWord, ...]) -> str:
    """Return ``words`` as HTML."""
    return "".join(
        (" " if word.after_space else "")
        + (f"<mark>{escape(word.text)}</mark>" if word.is_changed else escape(word.text))
        for word in words
    )
