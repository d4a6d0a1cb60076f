"""A page on tiny models, made when the script first runs: ``streamlit run tiny_app.py -- transformer_xl/terms``."""

import sys
from pathlib import Path
from tempfile import mkdtemp

import streamlit as st

from pretrained import language_models, zoo
from tests.fixtures.language_models import publish_language_model, publish_measurements
from tests.fixtures.zoo import publish_zoo
from viz.base.words import page_text
from viz.shell.page import begin_page

PAGES = Path(__file__).parents[2] / "viz" / "pages"


@st.cache_resource
def tiny_language_models() -> Path:
    """Transformer-XL, and the same without recurrence, with measurements of both."""
    folder = publish_language_model(Path(mkdtemp()))
    publish_language_model(folder, "no_recurrence", mem_len=0, seed=2)
    publish_measurements(folder)
    return folder


@st.cache_resource
def tiny_zoo() -> Path:
    """A few encodings on two tasks."""
    return publish_zoo(Path(mkdtemp()))


(name,) = sys.argv[1:]
if name.startswith("transformer_xl"):
    language_models.LANGUAGE_MODELS = tiny_language_models()
else:
    zoo.ZOO = tiny_zoo()
st.set_page_config(layout="wide", page_title=name)
begin_page(page_text(f"pages/{name}")["question"])
st.navigation([st.Page(PAGES / f"{name}.py", default=True)], position="hidden").run()
