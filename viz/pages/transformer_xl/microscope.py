"""The memory microscope: who looks how far back, and what a far change does."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.analysis.interventions.memory_influence import SegmentedRead, read_to
from model.attention import SegmentSpec
from pretrained.language_models import LanguageModel
from viz.base.exports import arrays_as_npz
from viz.base.link_parameters import Choice, LinkParameter, Number, choice_of
from viz.base.markdown import plain
from viz.base.words import listed, page_text, paragraph
from viz.pages.transformer_xl.change import Look, is_measured, show_change
from viz.pages.transformer_xl.components.memory_text import Head, MemoryText, chosen, memory_text
from viz.pages.transformer_xl.opening import show_with_text
from viz.pages.transformer_xl.state import GivenText, files_of, memory_choice
from viz.pages.transformer_xl.study import microscope as numbers
from viz.pages.transformer_xl.study.memory_changes import memory_changes
from viz.pages.transformer_xl.study.microscope import alone, in_text, pattern_of
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import choose, number, place_for_warnings, select, warn_bad_links
from viz.shell.link import write_link
from viz.shell.page import theme
from viz.shell.picture import File, offered
from viz.shell.state import page_link

TEXT = page_text("pages/transformer_xl/microscope")
WORDS = page_text("pages/transformer_xl/memory_text")
_KEY = "xl-microscope"
_PLACE, _SOURCE, _BECOMES, _HEAD, _MEMORY = "xl-place", "xl-changed", "xl-becomes", "xl-head", "xl-memory"


def show() -> None:
    """Draw the page."""
    show_with_text(show_microscope)


@st.fragment
def show_microscope(loaded: LanguageModel, text: GivenText) -> None:
    """Show where the heads look from one character of the text, and the effect of changing another."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, _rules(loaded))
    look = _controls(loaded, text, warnings)
    reading = _reading(look)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        _show_text(look, reading)
        with st.expander(TEXT["how to read"]):
            st.markdown(TEXT["what is seen"])
            st.markdown(TEXT["mosaic"].format(layers=len(loaded.model.layers)))
    with words:
        st.markdown(_reading_sentence(look, reading))
        st.markdown(TEXT["intro"])
        st.markdown(TEXT["what to try"])
    show_change(look, reading)


def _rules(loaded: LanguageModel) -> list[LinkParameter[Any]]:
    return [
        _characters(loaded),
        memory_choice(_MEMORY, loaded),
        choice_of(_HEAD, _heads(loaded)),
    ]


def _characters(loaded: LanguageModel) -> Choice[str]:
    characters = tuple(loaded.vocabulary.characters)
    return Choice(_BECOMES, characters[0], characters, id=alone)


def _heads(loaded: LanguageModel) -> dict[str, Head]:
    """Return every head, from 0, by its name in the link: layer and head, from 1."""
    every = product(range(len(loaded.model.layers)), range(loaded.model.config.n_heads))
    return {f"{layer + 1}.{head + 1}": (layer, head) for layer, head in every}


def _controls(loaded: LanguageModel, written: GivenText, warnings: DeltaGenerator) -> Look:
    text = written.text
    n_layers = len(loaded.model.layers)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        mem_len = choose(memory_choice(_MEMORY, loaded), TEXT["memory"])
        spec = SegmentSpec(loaded.segment_length, mem_len)
        looks, usual = _opening_places(loaded, text, spec)
        place = _place(Number(_PLACE, looks + 1, 1, len(text)), TEXT["place"], warnings)
        span = numbers.shown_span(len(text), place, spec, n_layers)
        # What was measured was so with the memory of training, which reaches further than a shorter one.
        if place != looks or usual < span.first:
            usual = max(span.first, numbers.default_source(text, place, spec))
        source = _place(Number(_SOURCE, usual + 1, span.first + 1, place + 1), TEXT["changed"], warnings)
        default = numbers.default_character(loaded.vocabulary, text[usual])
        becomes = select(replace(_characters(loaded), default=default), TEXT["becomes"], width=110)
    return Look(loaded, spec, text, written.ids, span, place, source, becomes)


def _opening_places(loaded: LanguageModel, text: str, spec: SegmentSpec) -> tuple[int, int]:
    """Return who looks, and what is changed, at first: where it matters most, if that was measured."""
    if is_measured(loaded, text):
        return memory_changes().place, memory_changes().source
    return numbers.default_places(text, spec, len(loaded.model.layers))


def _place(field: Number, label: str, warnings: DeltaGenerator) -> int:
    """Draw the number of a character, which people count from 1, and return its place."""
    if field.key not in st.session_state:
        warn_bad_links(warnings, [field])
    return number(field, label, width=170) - 1 if field.low < field.high else int(field.low) - 1


def _read(look: Look) -> tuple[object, ...]:
    return look.loaded.name, look.spec, look.text[: look.end], look.span.first


@cached_while_unchanged(lambda look: files_of(look.loaded), max_entries=6, key=_read)
def _reading(look: Look) -> SegmentedRead:
    return read_to(look.loaded.model, look.ids, look.place, look.spec, source=look.span.first)


def _show_text(look: Look, reading: SegmentedRead) -> None:
    head = _head(look)
    pattern = pattern_of(reading, look.place)
    first_key, border = reading.first_key, reading.border
    shown = MemoryText(
        labels=tuple(map(in_text, look.excerpt)),
        first=look.span.first,
        place=look.place,
        source=look.source,
        earliest=look.spec.earliest_source(look.place, len(look.loaded.model.layers)),
        first_key=first_key,
        border=border,
        weights=pattern,
        head=head,
    )
    layer, top = numbers.strongest(pattern, border - first_key)
    alt = TEXT["alt attention"].format(
        layers=pattern.shape[0],
        heads=pattern.shape[1],
        character=alone(look.text[look.place]),
        number=look.place + 1,
        remembered=border - first_key,
        layer=layer + 1,
        head=top + 1,
        share=float(pattern[layer, top, : border - first_key].sum()),
    )
    arrays = {"pattern": pattern, "places": np.arange(first_key, look.place + 1)}
    file = File(TEXT["download attention"], lambda: arrays_as_npz(arrays), f"memory-attention-{look.place + 1}.npz")
    files = offered([file], _KEY)
    memory_text(shown, alt=alt, words=WORDS, theme=theme(), key=_KEY, on_choose=_take_choice, files=files)
    st.caption(TEXT["shown"].format(first=look.span.first + 1, last=look.span.stop, n=len(look.text)))


def _head(look: Look) -> Head:
    """Return the head that is shown under the text, which the link holds."""
    return _heads(look.loaded).get(page_link().get(_HEAD, ""))


def _take_choice() -> None:
    choice = chosen(_KEY)
    if choice is None:
        return
    # What lies outside the text is put right when the controls are drawn.
    st.session_state[_PLACE], st.session_state[_SOURCE] = choice.place + 1, choice.source + 1
    write_link({_HEAD: None if choice.head is None else f"{choice.head[0] + 1}.{choice.head[1] + 1}"})


def _reading_sentence(look: Look, reading: SegmentedRead) -> str:
    predicted = reading.log_probabilities[look.place - reading.border].exp()
    best = predicted.topk(3)
    named = listed(
        TEXT["expected one"].format(character=_quoted(look, int(one)), share=float(share))
        for one, share in zip(best.indices, best.values, strict=True)
    )
    sentence = TEXT["reading"].format(
        number=look.place + 1,
        character=plain(alone(look.text[look.place])),
        remembered=reading.border - reading.first_key,
        segment=look.place - reading.border + 1,
        expected=named,
    )
    if look.place + 1 == len(look.text):
        return sentence
    following = look.text[look.place + 1]
    share = float(predicted[int(look.loaded.vocabulary.encode(following).ids[0])])
    return paragraph([sentence, TEXT["following"].format(character=plain(alone(following)), share=share)])


def _quoted(look: Look, one: int) -> str:
    return plain(alone(look.loaded.vocabulary.decode([one])))


if __name__ == "__main__":
    show()
