"""The sections on the four terms and on the relative shift, on a tiny model made when the script first runs."""

from pathlib import Path
from tempfile import mkdtemp

import streamlit as st

from pretrained import language_models
from tests.language_model_fixture import publish_language_model
from viz.base.words import page_text
from viz.pages.transformer_xl.shift import show_shift
from viz.pages.transformer_xl.state import MAIN, given_text, language_model
from viz.pages.transformer_xl.terms import show_terms
from viz.shell.page import begin_page


@st.cache_resource
def tiny_models() -> Path:
    return publish_language_model(Path(mkdtemp()))


language_models.LANGUAGE_MODELS = tiny_models()
st.set_page_config(layout="wide", page_title="Transformer-XL")
begin_page(page_text("pages/transformer_xl/transformer_xl")["question"])
loaded = language_model(MAIN)
text = given_text(loaded.vocabulary)
show_terms(loaded, text)
show_shift(loaded, text)
