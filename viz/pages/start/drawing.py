"""What the pictures of all stops share."""

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.decoding.translator import SourceTextError
from viz.base.colours import Theme
from viz.base.link_parameters import LinkParameter, Text
from viz.base.markdown import plain
from viz.base.words import page_text
from viz.figures.chart import Chart
from viz.pages.start.stops import Picture
from viz.shared.shipped import examples
from viz.shared.translation import DecodingChoice, Translated, translated, why_untranslated
from viz.shell.controls import place_for_warnings, text_input, warn_bad_links
from viz.shell.page import theme
from viz.shell.picture import draw_picture

TEXT = page_text("pages/start/drawing")
EXAMPLE = examples("English", "everyday")[0]
_SENTENCE = Text("stop-sentence", EXAMPLE, 300)


def controls(*fields: LinkParameter[Any]) -> DeltaGenerator:
    """Return a row for the controls of ``fields``, under what the link carries against them."""
    warn_bad_links(place_for_warnings(), fields)
    return st.container(horizontal=True, vertical_alignment="bottom")


def chart(name: str, alt: str, figure: Callable[[Theme], go.Figure]) -> Chart:
    """Return the chart ``name``, which ``figure`` draws in a theme."""
    return Chart(name, name, figure, alt)


def nothing() -> None:
    """Ask for nothing, where a picture has no controls."""


def draw(picture: Picture) -> Any:
    """Draw ``picture`` with its controls; return what is set."""
    settings = picture.ask()
    shown = picture.show(settings)
    for chart in shown.charts:
        draw_picture(chart.figure(theme()), key=chart.name, file_name=chart.name, alt=chart.alt)
    if shown.note:
        st.caption(shown.note)
    if shown.words:
        st.markdown(shown.words)
    if shown.table:
        st.html(shown.table)
    return settings


def ask_sentence() -> str:
    """Draw the sentence to translate, and return it: the example where it cannot be translated."""
    warn_bad_links(place_for_warnings(), [_SENTENCE])
    text = text_input(_SENTENCE, TEXT["sentence"])
    try:
        translation = translation_of(text).translation
    except SourceTextError as error:
        st.warning(TEXT["example instead"].format(reason=why_untranslated(error)))
        return EXAMPLE
    st.caption(TEXT["translation"].format(text=plain(translation.text)))
    return text


def translation_of(text: str = EXAMPLE) -> Translated:
    """Return the translation of ``text`` by the translator that pages open with, found by beam search."""
    return translated(text, DecodingChoice())
