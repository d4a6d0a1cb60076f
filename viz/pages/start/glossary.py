"""Glossary: the terms of the app in alphabetical order, each with a link to where it is seen."""

from collections.abc import Sequence

import streamlit as st

from viz.base.glossary import Term, terms
from viz.base.languages import ENGLISH
from viz.base.words import page_text
from viz.components.diagram import Drawing, show_diagram
from viz.pages.start.term_map import term_maps
from viz.shell.page import theme

TEXT = page_text("pages/start/glossary")
# Pixels over the map, and left and right of it.
_MENU, _BESIDE = 34, 64


def show() -> None:
    """Draw the page."""
    entries = terms()
    st.markdown(TEXT["intro"].format(n=len(entries)))
    maps = term_maps({term.name: term for term in entries}, TEXT)
    # Its height is there before it: what grew later would move the term away that a link has scrolled to.
    st.html(f"<style>{_heights(maps)}</style>")
    with st.container(key="term-map"):
        show_diagram(
            maps,
            theme=theme(),
            name=TEXT["map"],
            alt=TEXT["map alt"].format(n=len(entries)),
            file_name="glossary",
            key="term-map-drawing",
        )
    # One element: a link to a term scrolls to it as soon as it stands, and what came later would move it away.
    with st.container(key="glossary"):
        st.markdown("\n\n".join(map(_entry, entries)), unsafe_allow_html=True)


def _heights(maps: Sequence[Drawing]) -> str:
    """Return CSS for the height of the widest of ``maps`` that has room, under its menu."""
    rules = [f".st-key-term-map {{ min-height: {drawn.height + _MENU}px }}" for drawn in maps]
    narrower = (
        f"@media (max-width: {wider.width + _BESIDE - 1}px) {{ {rule} }}"
        for wider, rule in zip(maps, rules[1:], strict=False)
    )
    return "".join([rules[0], *narrower])


def _entry(term: Term) -> str:
    # A Markdown link would open in a new tab.
    link = f'<a href="{term.address}" target="_self">{TEXT["seen on"].format(page=term.seen_on)}</a>'
    return f"## {_heading(term)}\n\n{term.meaning} {link}"


def _heading(term: Term) -> str:
    if term.title == term.name:
        return term.name
    # Streamlit makes an anchor of an English heading alone.
    return f'<span id="{term.anchor}">{term.title}</span> <small lang="{ENGLISH}">{term.name}</small>'


if __name__ == "__main__":
    show()
