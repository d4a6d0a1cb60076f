"""Head of the pages that read a text with a model: the model, and the text shared by the pages."""

from collections.abc import Callable

import streamlit as st

from model.checkpoint import DamagedWeightsError
from pretrained.language_models import LanguageModel
from viz.base.words import page_text
from viz.pages.transformer_xl.state import MAIN, GivenText, given_text, language_model, shipped_names
from viz.shared.shipped import damage
from viz.shell.controls import place_for_warnings

TEXT = page_text("pages/transformer_xl/opening")


def show_with_text(draw: Callable[[LanguageModel, GivenText], None]) -> None:
    """Draw a page with its model and text, and the text box below; without a model, show how to get one."""
    if MAIN not in shipped_names():
        st.markdown(TEXT["none shipped"])
        st.code(TEXT["command"], language=None, wrap_lines=True)
        return
    try:
        loaded = language_model(MAIN)
    except DamagedWeightsError as error:
        st.warning(TEXT["damaged"].format(reason=damage(error)))
        return
    warnings, drawn = place_for_warnings(), st.container()
    text = given_text(loaded.vocabulary, warnings)
    with drawn:
        draw(loaded, text)
