"""Transformer-XL: what a memory of earlier segments gives a language model, on models that this project trained."""

import streamlit as st

from model.checkpoint import DamagedWeightsError
from pretrained.language_models import LanguageModel
from viz.base.words import page_text
from viz.pages.transformer_xl.generation import show_generation
from viz.pages.transformer_xl.microscope import show_microscope
from viz.pages.transformer_xl.results import show_curves
from viz.pages.transformer_xl.segments import show_segments
from viz.pages.transformer_xl.shift import show_shift
from viz.pages.transformer_xl.state import MAIN, given_text, language_model, shipped_names
from viz.pages.transformer_xl.terms import show_terms
from viz.shell.shipped import damage

TEXT = page_text("pages/transformer_xl/transformer_xl")


def show() -> None:
    """Draw the page: what reads a text with the model where it ships, and what was measured of all."""
    st.markdown(TEXT["intro"])
    loaded = _load()
    if loaded is not None:
        given = given_text(loaded.vocabulary)
        show_segments(loaded, given)
        with st.container(key="xl-look"):
            show_microscope(loaded, given)
        show_terms(loaded, given)
        show_shift(loaded, given)
        with st.container(key="xl-go-on"):
            show_generation(loaded, given)
    show_curves()
    st.markdown(TEXT["paper"])


def _load() -> LanguageModel | None:
    """Return the model of the page; where there is none, say so, and how to come by it."""
    if MAIN not in shipped_names():
        st.markdown(TEXT["none shipped"])
        st.code(TEXT["command"], language=None, wrap_lines=True)
        return None
    try:
        return language_model(MAIN)
    except DamagedWeightsError as error:
        st.warning(TEXT["damaged"].format(reason=damage(error)))
        return None


show()
