"""Positional encodings, a part of the page Glossary: what each one does, and models that use it."""

import streamlit as st

from model.positional import registered
from viz.base.languages import ENGLISH
from viz.base.words import listed, page_text, paragraph
from viz.shared.encodings import encoding_anchor
from viz.shared.model_words import is_left_in_english, model_words

TEXT = page_text("pages/start/encodings")


def show() -> None:
    """Draw the page."""
    st.markdown(TEXT["intro"].format(n=len(registered())))
    # One element, as on the other part: a link to an encoding scrolls to it as soon as it stands.
    with st.container(key="glossary"):
        st.markdown("\n\n".join(map(_entry, by_title())), unsafe_allow_html=True)


def by_title() -> list[str]:
    """Return the names of all encodings in the order of the titles that are shown."""
    return sorted(registered(), key=lambda name: model_words(registered()[name].description.title).lower())


def meaning_of(name: str) -> str:
    """Return what the encoding ``name`` does, which known models use it, and its paper, as Markdown."""
    description = registered()[name].description
    used = TEXT["used in"].format(models=listed(description.used_in)) if description.used_in else ""
    return f"{paragraph([model_words(description.explanation), used])} ({model_words(description.paper)})"


def _entry(name: str) -> str:
    # A Markdown link would open in a new tab.
    link = f'<a href="compare-encodings?v1={name}" target="_self">{TEXT["compare"]}</a>'
    heading = f'<span id="{encoding_anchor(name)}">{model_words(registered()[name].description.title)}</span>'
    meaning = meaning_of(name)
    if is_left_in_english(registered()[name].description.explanation):
        meaning = f'<span lang="{ENGLISH}">{meaning}</span>'
    return f"## {heading}\n\n{meaning} {link}"
