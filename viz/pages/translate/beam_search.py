"""Beam search: its hypotheses, the pruned ones, and the reason for the final translation."""

import streamlit as st

from viz.base.words import page_text
from viz.pages.translate.contrast import show_contrast
from viz.pages.translate.opening import open_translation
from viz.pages.translate.search_tree import show_search
from viz.shared.sentence import say_limits

TEXT = page_text("pages/translate/beam_search")


def show() -> None:
    """Draw the page."""
    opened = open_translation()
    show_search(opened.result)
    st.header(TEXT["why"], anchor="why")
    show_contrast(opened.result)
    say_limits(opened.model)
    opened.finish()


if __name__ == "__main__":
    show()
