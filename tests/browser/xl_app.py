"""The page Transformer-XL on tiny models, made when the script first runs."""

from pathlib import Path
from tempfile import mkdtemp

import streamlit as st

from pretrained import language_models
from tests.language_model_fixture import publish_language_model, publish_measurements
from viz.base.words import page_text
from viz.shell.page import begin_page

ROOT = Path(__file__).parents[2]


@st.cache_resource
def tiny_models() -> Path:
    folder = publish_language_model(Path(mkdtemp()))
    publish_language_model(folder, "no_recurrence", mem_len=0, seed=2)
    publish_measurements(folder)
    return folder


language_models.LANGUAGE_MODELS = tiny_models()
st.set_page_config(layout="wide", page_title="Transformer-XL")
begin_page(page_text("pages/transformer_xl/transformer_xl")["question"])
page = ROOT / "viz" / "pages" / "transformer_xl" / "transformer_xl.py"
st.navigation([st.Page(page, default=True)], position="hidden").run()
