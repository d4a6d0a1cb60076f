"""Segments: what is read, remembered and lost, and what that costs."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import DamagedWeightsError
from model.device import use_one_thread
from pretrained.language_models import LanguageModel
from viz.base.exports import columns_as_csv
from viz.base.link_parameters import Number, bad_links
from viz.base.markdown import plain
from viz.base.words import listed, page_text
from viz.figures.lines import lines
from viz.pages.transformer_xl.components.segment_stepper import ReadStretch, Series, segment_stepper
from viz.pages.transformer_xl.opening import show_with_text
from viz.pages.transformer_xl.state import (
    CUT_APART,
    MAIN,
    GivenText,
    ShownSegment,
    files_of,
    language_model,
    memories,
    shipped_names,
)
from viz.pages.transformer_xl.study.results import Evaluation, bits_by_position, evaluations, worth_at_beginning
from viz.pages.transformer_xl.study.segments import N_SEGMENTS, Stretch, n_segments, read_stretch
from viz.shared.measured import language_model_results
from viz.shared.shipped import cached_while_unchanged, damage
from viz.shell.controls import place_for_warnings
from viz.shell.link import link_decides
from viz.shell.page import theme
from viz.shell.picture import File, draw_picture, offered
from viz.shell.state import keep_in_session, kept, linked_value, page_link, set_link

TEXT = page_text("pages/transformer_xl/segments")
_WORDS = page_text("pages/transformer_xl/segment_stepper")
_KEY, _LINK = "segments", "segment"


def show() -> None:
    """Draw the page."""
    show_with_text(show_segments)


@st.fragment
def show_segments(loaded: LanguageModel, text: GivenText) -> None:
    """Draw the text in its segments, and what was measured by position.

    A step in it draws nothing else again.
    """
    warnings = place_for_warnings()
    measured = _measured(warnings)
    if measured and (claim := worth_at_beginning(measured).sentence(TEXT, "claim beginning")):
        st.markdown(claim)
    cut_apart = _cut_apart(warnings)
    segment = _segment(loaded, text, warnings)
    stretch = _stretch(loaded, text, segment // N_SEGMENTS, cut_apart)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        steps = _steps(stretch, segment, loaded, text)
        files = offered([File(TEXT["download"], lambda: _as_csv(stretch), "segments.csv")], _KEY)
        segment_stepper(steps, theme=theme(), words=_WORDS, key=_KEY, files=files, on_step=_take_step)
    with words:
        st.markdown(TEXT["intro"])
        with st.expander(TEXT["how it works"]):
            st.markdown(TEXT["what is seen"].format(mem_len=loaded.mem_len))
        st.markdown(TEXT["what to try"])
        end, lead = stretch.start + len(stretch.bits["memory"]) + 1, stretch.start - stretch.shown_from
        numbers = {"start": stretch.start + 1, "end": end, "n": len(text), "lead": lead}
        st.caption(TEXT["part"].format(**{name: f"{number:,}" for name, number in numbers.items()}))
        st.markdown(TEXT["paper"])
    if measured is not None:
        _show_positions(loaded, measured)


def _measured(warnings: DeltaGenerator) -> tuple[Evaluation, ...] | None:
    """Return what was measured of the models.

    None, and a sentence in ``warnings``, where that cannot be read.
    """
    try:
        return evaluations(language_model_results())
    except (OSError, ValueError, KeyError, TypeError):
        warnings.warning(TEXT["results damaged"])
        return None


def _cut_apart(warnings: DeltaGenerator) -> LanguageModel | None:
    if CUT_APART not in shipped_names():
        return None
    try:
        return language_model(CUT_APART)
    except DamagedWeightsError as error:
        warnings.warning(TEXT["damaged"].format(reason=plain(damage(error))))
        return None


def _segment(loaded: LanguageModel, text: GivenText, warnings: DeltaGenerator) -> int:
    """Return the segment to show: the one gone to, or that of the link.

    Else it is one with as much before it as can be seen.
    """
    total = n_segments(len(text), loaded.segment_length)
    farthest = len(loaded.model.layers) * loaded.mem_len // max(1, loaded.segment_length)
    opening = min(total - 1, farthest + 2)
    text_key = _key_of(text)
    field = Number(_LINK, opening + 1, 1, total)
    at = kept(ShownSegment)
    if link_decides(_KEY, field.key) or at is None:
        for bad in bad_links([field], page_link()):
            warnings.warning(TEXT["bad link"].format(given=bad.text or " ", total=total, shown=opening + 1))
        at = ShownSegment(text_key, linked_value(field) - 1)
    if at.text_key != text_key or not 0 <= at.segment < total:
        at = ShownSegment(text_key, opening)
    keep_in_session(at)
    set_link(field, at.segment + 1)
    return at.segment


def _take_step() -> None:
    # What a browser sends is checked; what is no segment changes nothing.
    asked, at = st.session_state[_KEY]["segment"], kept(ShownSegment)
    if at and (isinstance(asked, int) or (isinstance(asked, float) and asked.is_integer())):
        keep_in_session(replace(at, segment=int(asked)))


def _key_of(text: GivenText) -> str:
    return hashlib.sha256(text.text.encode(errors="replace")).hexdigest()[:16]


@cached_while_unchanged(
    lambda *arguments: [file for loaded in (arguments[0], arguments[-1]) if loaded for file in files_of(loaded)],
    max_entries=64,
    key=lambda loaded, text, group, cut: (loaded.name, text.text, group, cut and cut.name),
)
def _stretch(loaded: LanguageModel, text: GivenText, group: int, cut: LanguageModel | None) -> Stretch:
    use_one_thread()
    return read_stretch(loaded, text.text, memories(loaded, text), group * N_SEGMENTS, cut)


def _steps(stretch: Stretch, segment: int, loaded: LanguageModel, text: GivenText) -> ReadStretch:
    return ReadStretch(
        segment=segment,
        first=stretch.first,
        total=n_segments(len(text), loaded.segment_length),
        segment_length=stretch.segment_length,
        mem_len=stretch.mem_len,
        shown_from=stretch.shown_from,
        text=stretch.text,
        text_key=_key_of(text),
        series=[Series(TEXT[kind], bits) for kind, bits in stretch.bits.items()],
        attention=stretch.attention,
        edges=stretch.edges.astype(np.float32),
    )


def _show_positions(loaded: LanguageModel, measured: tuple[Evaluation, ...]) -> None:
    asked = {"memory": (MAIN, loaded.mem_len), "emptied": (MAIN, 0), "cut apart": (CUT_APART, 0)}
    by_kind = {TEXT[kind]: bits_by_position(measured, *which) for kind, which in asked.items()}
    curves = {name: bits for name, bits in by_kind.items() if bits is not None}
    st.markdown(TEXT["by position"])
    if not curves:
        st.markdown(TEXT["not measured"])
        st.code(TEXT["command"], language=None, wrap_lines=True)
        return
    n = min(map(len, curves.values()))
    curves = {name: bits[:n] for name, bits in curves.items()}
    x = np.arange(1, n + 1, dtype=np.float64)
    figure = lines(x, curves, x_name=TEXT["position"], y_name=TEXT["bits"])
    first, last = (listed(f"{name} {bits[place]:.2f}" for name, bits in curves.items()) for place in (0, -1))
    alt = TEXT["by position alt"].format(n=n, first=first, last=last)
    table = {TEXT["position"]: x, **curves}
    file = File(TEXT["download positions"], lambda: columns_as_csv(table), "bits-by-position.csv")
    draw_picture(figure, key="segments-positions", file_name="bits-by-position", alt=alt, files=[file])


def _as_csv(stretch: Stretch) -> str:
    n = len(stretch.bits["memory"])
    characters = stretch.text[stretch.start + 1 - stretch.shown_from :]
    places = np.arange(stretch.start + 2, stretch.start + n + 2)
    columns: dict[str, Sequence[object]] = {TEXT["place"]: list(places), TEXT["character"]: list(characters)}
    return columns_as_csv(columns | {TEXT[kind]: list(bits) for kind, bits in stretch.bits.items()})


if __name__ == "__main__":
    show()
