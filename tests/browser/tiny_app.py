"""The pages of a topic on tiny models, made at the first run: ``streamlit run tiny_app.py -- transformer_xl``."""

import sys
from pathlib import Path
from tempfile import mkdtemp

import streamlit as st

from pretrained import language_models, zoo
from tests.fixtures.language_models import publish_language_model, publish_measurements
from tests.fixtures.zoo import publish_zoo
from viz.pages.transformer_xl import writing
from viz.shell.navigation import places
from viz.shell.page import apply_style, run_part, write_question


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


(topic,) = sys.argv[1:]
if topic == "transformer_xl":
    language_models.LANGUAGE_MODELS = tiny_language_models()
    # A tiny model would have written all that it may before a busy browser presses Stop.
    writing.MOST_WRITTEN = 1_000_000
else:
    zoo.ZOO = tiny_zoo()
listed = [place for place in places() if place.part.path.parent.name == topic]
shown = [st.Page(place.part.path, title=place.part.question, url_path=place.part.url_path) for place in listed]
# Streamlit knows the page at the root by no other address, and says of one that it does not know that there is none.
root = st.Page(lambda: None, title=topic, url_path="root", default=True)
opened = st.navigation([root, *shown], position="hidden")
st.set_page_config(layout="wide", page_title=topic)
if opened in shown:
    place = listed[shown.index(opened)]
    apply_style()
    write_question(place.part.question)
    run_part(opened, place.page, place.part)
