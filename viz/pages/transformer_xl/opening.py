"""What the pages that read a text with a model begin with: the model, and the text that goes from page to page."""

import streamlit as st

from model.checkpoint import DamagedWeightsError
from pretrained.language_models import LanguageModel
from viz.base.words import page_text
from viz.pages.transformer_xl.state import MAIN, GivenText, given_text, language_model, shipped_names
from viz.shell.shipped import damage

TEXT = page_text("pages/transformer_xl/opening")


def open_text(page: str) -> tuple[LanguageModel, GivenText] | None:
    """Draw the text box of ``page``, and return the model with the text; without a model say how to come by it."""
    if MAIN not in shipped_names():
        st.markdown(TEXT["none shipped"])
        st.code(TEXT["command"], language=None, wrap_lines=True)
        return None
    try:
        loaded = language_model(MAIN)
    except DamagedWeightsError as error:
        st.warning(TEXT["damaged"].format(reason=damage(error)))
        return None
    return loaded, given_text(loaded.vocabulary, page)
