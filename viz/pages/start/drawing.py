"""What the pictures of all stops share."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.decoding.translator import SourceTextError
from viz.base.link_parameters import LinkParameter, Text
from viz.base.markdown import plain
from viz.base.words import page_text
from viz.shared.shipped import examples
from viz.shared.translation import DecodingChoice, Translated, translated, why_untranslated
from viz.shell.controls import place_for_warnings, text_input, warn_bad_links
from viz.shell.picture import draw_picture

TEXT = page_text("pages/start/drawing")
EXAMPLE = examples("English", "everyday")[0]
_SENTENCE = Text("sentence", EXAMPLE, 300)


def controls(*fields: LinkParameter[Any]) -> DeltaGenerator:
    """Return a row for the controls of ``fields``, under what the link carries against them."""
    warn_bad_links(place_for_warnings(), fields)
    return st.container(horizontal=True, vertical_alignment="bottom")


def plot(figure: go.Figure, name: str, alt: str) -> None:
    """Draw ``figure``, which is saved under ``name``."""
    draw_picture(figure, key=name, file_name=name, alt=alt)


def read_sentence() -> Translated:
    """Draw the sentence to translate, and return its translation: that of the example where it has none."""
    warn_bad_links(place_for_warnings(), [_SENTENCE])
    text = text_input(_SENTENCE, TEXT["sentence"])
    try:
        found = translation_of(text)
    except SourceTextError as error:
        st.warning(TEXT["example instead"].format(reason=why_untranslated(error)))
        return translation_of(EXAMPLE)
    st.caption(TEXT["translation"].format(text=plain(found.translation.text)))
    return found


def translation_of(text: str = EXAMPLE) -> Translated:
    """Return the translation of ``text`` by the translator that pages open with, found by beam search."""
    return translated(text, DecodingChoice())
