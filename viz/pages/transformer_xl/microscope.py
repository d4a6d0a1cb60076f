"""The memory microscope: who looks how far back, and what a far change does."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.analysis.memory_influence import Influence, SegmentedRead, SegmentSpec, read_to
from pretrained.language_models import LanguageModel
from pretrained.translators import WEIGHTS
from viz.base.exports import arrays_as_npz, rows_as_csv
from viz.base.link_parameters import LinkParameter, Number, choice_of
from viz.base.markdown import plain
from viz.base.numbers import scientific, signed
from viz.base.words import page_text
from viz.components.table import table
from viz.pages.transformer_xl.components.memory_text import Head, MemoryText, chosen, memory_text
from viz.pages.transformer_xl.figures.layer_paths import layer_paths
from viz.pages.transformer_xl.figures.spread import spread_map
from viz.pages.transformer_xl.opening import show_with_text
from viz.pages.transformer_xl.state import GivenText, files_of, sample_text
from viz.pages.transformer_xl.study import microscope as numbers
from viz.pages.transformer_xl.study.memory_changes import memory_changes
from viz.pages.transformer_xl.study.microscope import Change, Span, alone, in_text, pattern_of
from viz.shell.controls import download, number, place_for_warnings, warn_bad_links
from viz.shell.link import write_link
from viz.shell.page import plot_config, theme
from viz.shell.shipped import cached_while_unchanged
from viz.shell.state import page_link

TEXT = page_text("pages/transformer_xl/microscope")
WORDS = page_text("pages/transformer_xl/memory_text")
_KEY = "xl-microscope"
_PLACE, _SOURCE, _BECOMES, _HEAD, _MEMORY = "xl-place", "xl-changed", "xl-becomes", "xl-head", "xl-memory"
_MAX_MOVED = 8


@dataclasses.dataclass(frozen=True)
class _Look:
    """What is looked at: the model, how it reads, and, of the excerpt that is shown, its ids and the chosen places."""

    loaded: LanguageModel
    spec: SegmentSpec
    text: str
    span: Span
    place: int
    source: int
    becomes: str

    @property
    def excerpt(self) -> str:
        return self.text[self.span.first : self.span.stop]

    def local(self, place: int) -> int:
        return place - self.span.first


def show() -> None:
    """Draw the page."""
    show_with_text("microscope", show_microscope)


@st.fragment
def show_microscope(loaded: LanguageModel, given: GivenText) -> None:
    """Show where the heads look from one character of the text, and what a change of another one does to it."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, _rules(loaded))
    look = _controls(loaded, given.text, warnings)
    reading = _reading(look)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        _show_text(look, reading)
        st.markdown(TEXT["what is seen"])
    with words:
        st.markdown(TEXT["intro"])
        st.markdown(TEXT["mosaic"].format(layers=len(loaded.model.layers)))
        st.markdown(_said_reading(look, reading))
        st.markdown(TEXT["what to try"])
    _show_change(look, reading)


def _rules(loaded: LanguageModel) -> list[LinkParameter[Any]]:
    layers, heads = len(loaded.model.layers), loaded.model.config.n_heads
    names = [f"{layer}.{head}" for layer in range(1, layers + 1) for head in range(1, heads + 1)]
    return [
        choice_of(_BECOMES, map(alone, loaded.vocabulary.characters)),
        choice_of(_MEMORY, map(str, numbers.memory_lengths(loaded.mem_len))),
        dataclasses.replace(choice_of(_HEAD, names), summary=f"{names[0]} – {names[-1]}"),
    ]


def _controls(loaded: LanguageModel, text: str, warnings: DeltaGenerator) -> _Look:
    n_layers = len(loaded.model.layers)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        lengths = numbers.memory_lengths(loaded.mem_len)
        mem_len = st.segmented_control(
            TEXT["memory"],
            lengths,
            default=loaded.mem_len,
            required=True,
            key=_MEMORY,
            bind="query-params",
            format_func=str,
        )
        spec = SegmentSpec(loaded.segment_length, loaded.mem_len if mem_len is None else mem_len)
        looks, usual = _opening_places(loaded, text, spec)
        place = _place(Number(_PLACE, looks + 1, 1, len(text)), TEXT["place"], warnings)
        span = numbers.shown_span(len(text), place, spec, n_layers)
        if place != looks:
            usual = max(span.first, numbers.default_source(text, place, spec))
        source = _place(Number(_SOURCE, usual + 1, span.first + 1, place + 1), TEXT["changed"], warnings)
        characters = tuple(loaded.vocabulary.characters)
        becomes = st.selectbox(
            TEXT["becomes"],
            characters,
            index=characters.index(numbers.default_character(loaded.vocabulary, text[usual])),
            format_func=alone,
            key=_BECOMES,
            bind="query-params",
            width=110,
        )
    return _Look(loaded, spec, text, span, place, source, becomes)


def _opening_places(loaded: LanguageModel, text: str, spec: SegmentSpec) -> tuple[int, int]:
    """Return who looks, and what is changed, at first: where it matters most, if that was measured."""
    if _is_measured(loaded, text):
        return memory_changes().place, memory_changes().source
    return numbers.default_places(text, spec, len(loaded.model.layers))


def _is_measured(loaded: LanguageModel, text: str) -> bool:
    changes = memory_changes()
    # Without its file, the sample is its beginning alone.
    is_sample = text == sample_text() and changes.place < len(text)
    return is_sample and loaded.metrics["sha256"][WEIGHTS] == changes.sha256


def _place(field: Number, label: str, warnings: DeltaGenerator) -> int:
    """Draw the number of a character, which people count from 1, and return its place."""
    if field.key not in st.session_state:
        warn_bad_links(warnings, [field])
    # Another text, or another place, may have left a number behind that is none of those to choose from now.
    elif not field.low <= st.session_state[field.key] <= field.high:
        st.session_state[field.key] = field.default
    return number(field, label, width=170) - 1 if field.low < field.high else int(field.low) - 1


def _reading(look: _Look) -> SegmentedRead:
    place = look.local(look.place)
    end = look.spec.border(place) + look.spec.segment_length
    return _read(look.loaded, look.excerpt[:end], look.spec)


@cached_while_unchanged(files_of, max_entries=6, key=lambda loaded, *what: (loaded.name, what))
def _read(loaded: LanguageModel, excerpt: str, spec: SegmentSpec) -> SegmentedRead:
    ids = loaded.vocabulary.encode(excerpt).ids
    return read_to(loaded.model, ids, len(ids) - 1, spec, source=0)


def _change(look: _Look, _: SegmentedRead) -> tuple[object, ...]:
    places = (look.local(look.place), look.local(look.source))
    return look.loaded.name, look.spec, places, look.becomes, look.excerpt


@cached_while_unchanged(lambda look, _: files_of(look.loaded), max_entries=16, key=_change)
def _influence(look: _Look, reading: SegmentedRead) -> Influence:
    vocabulary = look.loaded.vocabulary
    return numbers.change(
        look.loaded.model,
        vocabulary.encode(look.excerpt).ids,
        reading,
        place=look.local(look.place),
        source=look.local(look.source),
        becomes=int(vocabulary.encode(look.becomes).ids[0]),
        spec=look.spec,
    )


def _show_text(look: _Look, reading: SegmentedRead) -> None:
    head = _head(look)
    pattern = pattern_of(reading, look.local(look.place))
    first_key, border = reading.first_key + look.span.first, reading.border + look.span.first
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
    memory_text(shown, alt=alt, words=WORDS, theme=theme(), key=_KEY, on_choose=_take_choice)
    arrays = {"pattern": pattern, "places": np.arange(first_key, look.place + 1)}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(TEXT["shown"].format(first=look.span.first + 1, last=look.span.stop, n=len(look.text)))
        download(TEXT["download attention"], lambda: arrays_as_npz(arrays), f"memory-attention-{look.place + 1}.npz")


def _head(look: _Look) -> Head:
    """Return the head that is shown under the text, which the link holds."""
    layers, heads = len(look.loaded.model.layers), look.loaded.model.config.n_heads
    layer, _, head = page_link().get(_HEAD, "").partition(".")
    if not (layer.isdecimal() and head.isdecimal()):
        return None
    found = (int(layer) - 1, int(head) - 1)
    return found if 0 <= found[0] < layers and 0 <= found[1] < heads else None


def _take_choice() -> None:
    choice = chosen(_KEY)
    if choice is None:
        return
    # What lies outside the text is put right when the controls are drawn.
    st.session_state[_PLACE], st.session_state[_SOURCE] = choice.place + 1, choice.source + 1
    write_link({_HEAD: None if choice.head is None else f"{choice.head[0] + 1}.{choice.head[1] + 1}"})


def _said_reading(look: _Look, reading: SegmentedRead) -> str:
    predicted = reading.log_probabilities[look.local(look.place) - reading.border].exp()
    best = predicted.topk(3)
    listed = ", ".join(
        TEXT["expected one"].format(character=_quoted(look, int(one)), share=float(share))
        for one, share in zip(best.indices, best.values, strict=True)
    )
    border = reading.border + look.span.first
    said = TEXT["reading"].format(
        number=look.place + 1,
        character=plain(alone(look.text[look.place])),
        remembered=border - reading.first_key - look.span.first,
        segment=look.place - border + 1,
        expected=listed,
    )
    if look.place + 1 == len(look.text):
        return said
    following = look.text[look.place + 1]
    share = float(predicted[int(look.loaded.vocabulary.encode(following).ids[0])])
    return f"{said} {TEXT['following'].format(character=plain(alone(following)), share=share)}"


def _quoted(look: _Look, one: int) -> str:
    return plain(alone(look.loaded.vocabulary.decode([one])))


def _show_change(look: _Look, reading: SegmentedRead) -> None:
    st.header(TEXT["change title"], anchor=False)
    if look.text[look.source] == look.becomes:
        st.markdown(TEXT["nothing changed"].format(character=plain(alone(look.becomes)), number=look.source + 1))
        return
    found = _influence(look, reading)
    size = numbers.measured(found)
    st.markdown(_said_change(look, reading, size))
    if _is_measured(look.loaded, look.text):
        st.markdown(_said_typical())
    if size.is_none:
        st.markdown(TEXT["how it came"])
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        _show_prediction(look, reading, found)
    with right:
        _show_layers(look, reading, size)
        name = f"change-{look.source + 1}-{look.place + 1}.csv"
        download(TEXT["download change"], lambda: _as_csv(look, found), name)
    left, right = st.columns([2, 1], gap="large")
    with left:
        _show_spread(look, reading, found)
    with right:
        st.markdown(TEXT["spread"].format(mem_len=look.spec.mem_len))
        with st.expander(TEXT["how it is measured"]):
            st.markdown(TEXT["how it came"])


def _said_change(look: _Look, reading: SegmentedRead, size: Change) -> str:
    n_layers = len(look.loaded.model.layers)
    earliest = look.spec.earliest_source(look.place, n_layers)
    values = {
        "number": look.source + 1,
        "old": plain(alone(look.text[look.source])),
        "new": plain(alone(look.becomes)),
        "back": look.place - look.source,
        "total": plain(scientific(size.total)),
        "layers": n_layers,
        "mem_len": look.spec.mem_len,
        "earliest": earliest + 1,
        "main": size.main_layer + 1,
    }
    said = TEXT["changed by"].format(**values)
    if look.source < earliest:
        return TEXT["out of reach"].format(**values)
    if size.is_none:
        return TEXT["no change"].format(**values)
    if look.local(look.source) >= reading.border:
        return f"{said} {TEXT['same segment']}"
    main = plain(scientific(size.alone[size.main_layer]))
    beyond = TEXT["beyond memory"] if look.local(look.source) < reading.first_key else ""
    return f"{said} {TEXT['main layer'].format(alone=main, **values)} {beyond}"


def _said_typical() -> str:
    found = memory_changes()
    sizes = {"median": found.median, "of_thousand": found.of_thousand}
    return TEXT["typical"].format(
        n=found.n,
        nearest=numbers.FAR,
        farthest=found.farthest,
        bits=found.bits,
        **{name: plain(scientific(value)) for name, value in sizes.items()},
    )


def _show_prediction(look: _Look, reading: SegmentedRead, found: Influence) -> None:
    by_memory = look.local(look.source) < reading.border
    layers = [TEXT["layer short"].format(layer=layer + 1) for layer in range(len(found.alone) if by_memory else 0)]
    headings = [TEXT[f"column {name}"] for name in ("character", "before", "after", "bits")]
    rows = [
        [
            alone(look.loaded.vocabulary.decode([one.id])),
            f"{one.before:.4f}",
            f"{one.after:.4f}",
            _bits(one.bits),
            *(map(_bits, one.bits_by_layer) if by_memory else ()),
        ]
        for one in numbers.moved(found, _MAX_MOVED)
    ]
    st.html(table([*headings, *layers], rows, code_columns=(0,), name=TEXT["table name"]))
    st.caption(TEXT["table"].format(n=len(rows)) + (f" {TEXT['table layers']}" if by_memory else ""))


def _bits(value: float) -> str:
    written = signed(value) if abs(value) >= 0.01 else scientific(value).replace("-", "\N{MINUS SIGN}")
    return f"+{written}" if value > 0 else written


def _as_csv(look: _Look, found: Influence) -> str:
    layers = [TEXT["csv layer"].format(layer=layer + 1) for layer in range(len(found.alone))]
    headings = [*(TEXT[f"column {name}"] for name in ("character", "before", "after", "bits")), *layers]
    vocabulary = look.loaded.vocabulary
    rows = [
        [vocabulary.decode([one.id]), one.before, one.after, one.bits, *one.bits_by_layer]
        for one in numbers.moved(found, vocabulary.size)
    ]
    return rows_as_csv(headings, rows)


def _show_layers(look: _Look, reading: SegmentedRead, size: Change) -> None:
    if look.local(look.source) >= reading.border:
        st.markdown(TEXT["no layers"])
        return
    labels = [TEXT["layer"].format(layer=layer + 1) for layer in range(len(size.alone))]
    shares = {
        TEXT["alone"]: np.array(size.alone) / size.total,
        TEXT["without"]: np.array(size.without) / size.total,
    }
    figure = layer_paths(labels, shares, theme=theme(), y_name=TEXT["share"])
    alt = TEXT["alt layers"].format(**{key: _listed(labels, values) for key, values in _by_key(shares).items()})
    config = plot_config(f"memory-layers-{look.source + 1}-{look.place + 1}")
    st.plotly_chart(figure, theme=None, key="xl-layers", config=config, alt=alt)
    st.caption(TEXT["layers"])


def _by_key(shares: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return dict(zip(("alone", "without"), shares.values(), strict=True))


def _listed(labels: list[str], values: np.ndarray) -> str:
    return ", ".join(f"{label} {value:.0%}" for label, value in zip(labels, values, strict=True))


def _show_spread(look: _Look, reading: SegmentedRead, found: Influence) -> None:
    source = look.local(look.source)
    spread = found.spread[:, source:].float().numpy()
    text = look.excerpt[source : look.local(look.place) + 1]
    length = look.spec.segment_length
    borders = [at - source for at in range(reading.start, reading.border + 1, length) if at > source] or [0]
    figure = spread_map(
        spread,
        list(map(alone, text)),
        borders,
        theme=theme(),
        x_name=TEXT["distance"],
        y_name=TEXT["layer axis"],
        hover=TEXT["spread hover"],
    )
    farthest = [int(np.flatnonzero(row)[-1]) if row.any() else 0 for row in spread]
    alt = TEXT["alt spread"].format(
        farthest=", ".join(f"{layer + 1}: {at}" for layer, at in enumerate(farthest)), last=spread.shape[1] - 1
    )
    st.plotly_chart(figure, theme=None, key="xl-spread", config=plot_config("memory-spread"), alt=alt)
    arrays = {"spread": found.spread.numpy(), "places": np.arange(found.spread.shape[1]) + look.span.first}
    download(TEXT["download spread"], lambda: arrays_as_npz(arrays), f"memory-spread-{look.source + 1}.npz")


if __name__ == "__main__":
    show()
