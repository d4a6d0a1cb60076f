"""The page Length generalization on a small zoo, made when the script first runs."""

from pathlib import Path
from tempfile import mkdtemp

import streamlit as st

from pretrained import zoo as zoo_store
from tests.zoo_fixture import publish_zoo
from viz.base.words import page_text
from viz.shell.page import begin_page

ROOT = Path(__file__).parents[2]


@st.cache_resource
def small_zoo() -> Path:
    return publish_zoo(Path(mkdtemp()))


zoo_store.ZOO = small_zoo()
st.set_page_config(layout="wide", page_title="zoo")
begin_page(page_text("pages/length_generalization/length_generalization")["question"])
page = ROOT / "viz" / "pages" / "length_generalization" / "length_generalization.py"
st.navigation([st.Page(page, default=True)], position="hidden").run()
