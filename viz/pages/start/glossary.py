"""Glossary: the terms of the app in alphabetical order, each with a link to where it is seen."""

import streamlit as st

from viz.base.glossary import Term, terms
from viz.base.languages import ENGLISH
from viz.base.words import page_text
from viz.components.diagram import show_diagram
from viz.pages.start.term_map import term_maps
from viz.shell.page import theme

TEXT = page_text("pages/start/glossary")


def show() -> None:
    """Draw the page."""
    entries = terms()
    st.markdown(TEXT["intro"].format(n=len(entries)))
    # Its height is in the style sheet: what grew later would move the term away that a link has scrolled to.
    with st.container(key="term-map"):
        show_diagram(
            term_maps({term.name: term for term in entries}, TEXT),
            theme=theme(),
            name=TEXT["map"],
            alt=TEXT["map alt"].format(n=len(entries)),
            file_name="glossary",
            key="term-map-drawing",
        )
    # One element: a link to a term scrolls to it as soon as it stands, and what came later would move it away.
    with st.container(key="glossary"):
        st.markdown("\n\n".join(map(_entry, entries)), unsafe_allow_html=True)


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
