"""Shared parts of the pictures of all stops."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from model.decoding.translator import SourceTextError
from viz.base.link_parameters import Text
from viz.base.markdown import plain
from viz.base.words import page_text
from viz.figures.chart import Chart
from viz.pages.start.stops import ControlKind, Picture, PictureControl
from viz.shared.shipped import examples
from viz.shared.translation import DecodingChoice, TranslationResult, translated, why_untranslated
from viz.shell.controls import choose, number, place_for_warnings, select, slider, text_input, warn_bad_links
from viz.shell.link import write_link
from viz.shell.picture import draw_picture
from viz.shell.state import keep_in_session, kept

TEXT = page_text("pages/start/drawing")
EXAMPLE = examples("English", "everyday")[0]
_SENTENCE = Text("stop-sentence", EXAMPLE, 300)
# Pixels of a slider.
_ALONE, _BESIDE_OTHERS = 320, 240


def chart(name: str, alt: str, figure: go.Figure) -> Chart:
    """Return the chart ``name``, whose file has this name, too."""
    return Chart(name, name, figure, alt)


def sentence() -> PictureControl:
    """Return the control of the sentence to translate."""
    return PictureControl("text", _SENTENCE, TEXT["sentence"], "sentence")


def draw(picture: Picture) -> Any:
    """Draw ``picture`` with its controls; return what is set."""
    settings = _ask(picture)
    _clear_link({control.parameter.key for control in picture.controls(settings)})
    shown = picture.show(settings)
    for chart in shown.charts:
        draw_picture(chart.figure, key=chart.name, file_name=chart.name, alt=chart.alt)
    if shown.note:
        st.caption(shown.note)
    if shown.words:
        st.markdown(shown.words)
    if shown.table:
        st.html(shown.table)
    return settings


@dataclass(frozen=True)
class _Drawn:
    """The parameters of the picture that was drawn last."""

    keys: frozenset[str] = frozenset()


def _clear_link(keys: set[str]) -> None:
    """Have the link carry ``keys`` alone of pictures' settings: another picture may read a name otherwise."""
    before = kept(_Drawn) or _Drawn()
    write_link(dict.fromkeys(before.keys - keys))
    keep_in_session(_Drawn(frozenset(keys)))


def _ask(picture: Picture) -> Any:
    """Draw the controls of ``picture``, its texts first, and return what is set."""
    settings = picture.opening()
    texts = [control for control in picture.controls(settings) if not control.values]
    if texts:
        warn_bad_links(place_for_warnings(), [control.parameter for control in texts])
        settings = replace(settings, **{text.name: _DRAWN[text.kind](text.parameter, text.label) for text in texts})
    in_row = [control for control in picture.controls(settings) if control.values]
    if not in_row:
        return settings
    warn_bad_links(place_for_warnings(), [control.parameter for control in in_row])
    drawn = _DRAWN | {"slider": partial(slider, width=_ALONE if len(in_row) == 1 else _BESIDE_OTHERS)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return replace(settings, **{one.name: drawn[one.kind](one.parameter, one.label) for one in in_row})


def _ask_sentence(field: Text, label: str) -> str:
    """Draw the sentence to translate, and return it: the example where it cannot be translated."""
    text = text_input(field, label)
    try:
        translation = translation_of(text).translation
    except SourceTextError as error:
        st.warning(TEXT["example instead"].format(reason=why_untranslated(error)))
        return EXAMPLE
    st.caption(TEXT["translation"].format(text=plain(translation.text)))
    return text


def translation_of(text: str = EXAMPLE) -> TranslationResult:
    """Return the translation of ``text`` by the translator that pages open with, found by beam search."""
    return translated(text, DecodingChoice())


_DRAWN: dict[ControlKind, Callable[[Any, str], Any]] = {
    "slider": slider,
    "row": choose,
    "list": partial(select, width=_ALONE),
    "number": number,
    "text": text_input,
    "sentence": _ask_sentence,
}
