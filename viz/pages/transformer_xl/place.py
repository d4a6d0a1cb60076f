"""Position in the Transformer-XL page: a segment of the text with its memory, a layer, a head."""

import math
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pretrained.language_models import LanguageModel
from viz.base.link_parameters import Number, counted
from viz.base.words import page_text
from viz.pages.transformer_xl.state import GivenText, segment_spec, shown_segment
from viz.pages.transformer_xl.study.microscope import alone
from viz.pages.transformer_xl.study.segments import n_segments
from viz.shell.controls import choose, number, warn_bad_links
from viz.shell.state import keep_in_session, kept

TEXT = page_text("pages/transformer_xl/place")


@dataclass(frozen=True)
class _PlacedIn:
    """The text in which a section's place was chosen."""

    text: str


@dataclass(frozen=True)
class SegmentPlace:
    """A segment of the text, a layer and a head, each counted from 0."""

    segment: int
    layer: int
    head: int


def choose_place(prefix: str, loaded: LanguageModel, text: GivenText, warnings: DeltaGenerator) -> SegmentPlace:
    """Draw the choice of a place, kept in the URL under names that begin with ``prefix``, and return it.

    What a link asks for that is not there is said in ``warnings``.
    """
    spec, config = segment_spec(loaded), loaded.model.config
    total = n_segments(len(text), spec.segment_length)
    usual = min(total, math.ceil(spec.mem_len / spec.segment_length) + 1)
    field = Number(f"{prefix}-segment", usual, 1, total)
    counts = {"layer": config.n_layers, "head": config.n_heads}
    choices = {name: counted(f"{prefix}-{name}", count) for name, count in counts.items()}
    warn_bad_links(warnings, [field, *choices.values()])
    # A segment of the text before means nothing in another one, which may not even have so many.
    last = kept(_PlacedIn, prefix)
    if last and last.text != text.text:
        st.session_state[field.key] = usual
    keep_in_session(_PlacedIn(text.text), prefix)
    segment = number(field, TEXT["segment"].format(most=total))
    if shown_segment() is not None:
        st.button(TEXT["take"], on_click=_take, args=(field,), key=f"{prefix}-take")
    layer, head = (choose(choice, TEXT[name]) for name, choice in choices.items())
    return SegmentPlace(segment - 1, layer, head)


def _take(field: Number) -> None:
    segment = shown_segment()
    if segment is not None:
        st.session_state[field.key] = min(segment + 1, field.high)


def characters(text: GivenText, start: int, end: int) -> tuple[str, ...]:
    """Return a label that can be seen for each character of ``text`` from ``start`` to ``end``."""
    return tuple(map(alone, text.text[start:end]))
