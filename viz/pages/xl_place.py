"""Where sections of the Transformer-XL page look: a segment of the text, a layer and a head; the memory before it."""

import math
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.decoder_only import DecoderOnly
from pretrained.language_model_store import LanguageModel
from viz.pages.controls import Number, Rule, choice, choice_rule, number, refused
from viz.pages.xl_state import GivenText, model_stamp
from viz.pages.zoo_state import Stamp
from viz.text import page_text
from viz.tokens import visible
from viz.xl_reading import Memories, Reading

TEXT = page_text("xl_place")
Stamps = tuple[Stamp, Stamp]
_MOST_TEXTS = 4
_SHOWN = {" ": "␣", "\n": "↵", "\t": "⇥"}


@dataclass(frozen=True)
class Place:
    """A segment of the text, a layer and a head, each counted from 0."""

    segment: int
    layer: int
    head: int


def reading_of(loaded: LanguageModel) -> Reading:
    """Return how a text is read by ``loaded``: as in its training."""
    return Reading(loaded.segment_length, loaded.mem_len)


def choose_place(prefix: str, loaded: LanguageModel, text: GivenText, warnings: DeltaGenerator) -> Place:
    """Draw the choice of a place, kept in the URL under names that begin with ``prefix``, and return it.

    What a link asks for that is not there is said in ``warnings``.
    """
    reading, config = reading_of(loaded), loaded.model.config
    n_segments = reading.n_segments(len(text))
    usual = min(n_segments, math.ceil(reading.mem_len / reading.segment_length) + 1)
    field = Number(f"{prefix}-segment", usual, 1, n_segments)
    counts = {"layer": config.n_layers, "head": config.n_heads}
    options = {name: {index: str(index + 1) for index in range(count)} for name, count in counts.items()}
    warn(
        warnings, [field.rule, *(choice_rule(f"{prefix}-{name}", labels.values()) for name, labels in options.items())]
    )
    # A shorter text may have come since.
    if st.session_state.get(field.key, 0) > n_segments:
        st.session_state[field.key] = n_segments
    segment = number(field, TEXT["segment"].format(most=n_segments))
    layer, head = (choice(f"{prefix}-{name}", TEXT[name], labels) for name, labels in options.items())
    return Place(segment - 1, layer, head)


def warn(warnings: DeltaGenerator, rules: list[Rule]) -> None:
    """Say in ``warnings`` what the link carries against ``rules``."""
    for problem in refused(rules):
        warnings.warning(TEXT["bad link"].format(key=problem.key, given=problem.given, allowed=problem.allowed))


def memories(loaded: LanguageModel, text: GivenText) -> Memories:
    """Return the memories before the segments of ``text``, shared by all sessions that read it."""
    return _memories(model_stamp(loaded.name), text.text, reading_of(loaded), loaded.model, text)


def characters(text: GivenText, start: int, end: int) -> tuple[str, ...]:
    """Return a label that can be seen for each character of ``text`` from ``start`` to ``end``."""
    return tuple(_SHOWN.get(character) or visible(character) for character in text.text[start:end])


@st.cache_resource(max_entries=_MOST_TEXTS, show_spinner=False)
def _memories(changed: Stamps, content: str, reading: Reading, _model: DecoderOnly, _text: GivenText) -> Memories:
    del changed, content
    return Memories(_model, _text.ids[None], reading)
