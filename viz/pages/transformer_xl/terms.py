"""The four terms: what a score is made of, with a gain for each part."""

from functools import partial

import numpy as np
import streamlit as st

from pretrained.language_models import LanguageModel
from viz.base.exports import arrays_as_npz
from viz.base.languages import worded
from viz.base.link_parameters import Number, labelled
from viz.base.numbers import scientific, signed
from viz.base.words import listed_apart, page_text
from viz.components.matrix_view import written
from viz.pages.transformer_xl.components.term_maps import TermMaps, term_maps
from viz.pages.transformer_xl.distance import show_by_distance
from viz.pages.transformer_xl.opening import show_with_text
from viz.pages.transformer_xl.place import SegmentPlace, characters, choose_place
from viz.pages.transformer_xl.state import GivenText, files_of, memories, segment_spec
from viz.pages.transformer_xl.study.reading import segment_row
from viz.pages.transformer_xl.study.terms import HIGHEST_GAIN, TERMS, SegmentTerms, TermGains, has_terms, segment_terms
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import choice, linked, place_for_warnings, warn_bad_links
from viz.shell.page import theme
from viz.shell.picture import File, offered

TEXT = page_text("pages/transformer_xl/terms")
_GAINS = {term: Number(f"gain-{term}", 1.0, 0.0, HIGHEST_GAIN, 0.05) for term in TERMS}
_SCOPES = ("all", "layer", "head")
_SCALES = ("shared", "own")
_MAX_KEPT = 16
_KEY = "term-maps"
# So that two stand side by side on a phone.
_GAIN_WIDTH = 170


def show() -> None:
    """Draw the page."""
    show_with_text(show_terms)


def show_terms(loaded: LanguageModel, text: GivenText) -> None:
    """Show the terms of one head at one place of ``text``, and what they come to over all of it."""
    if not has_terms(loaded.model):
        st.markdown(TEXT["other encoding"])
        return
    st.markdown(TEXT["intro"])
    _show_place(loaded, text)
    show_by_distance(loaded, text)


@st.fragment
def _show_place(loaded: LanguageModel, text: GivenText) -> None:
    warnings = place_for_warnings()
    scopes = worded(_SCOPES, lambda scope: TEXT[f"scope {scope}"])
    scales = worded(_SCALES, lambda scale: TEXT[f"scale {scale}"])
    choices = [labelled("gain-scope", scopes), labelled("terms-scale", scales)]
    warn_bad_links(warnings, [*_GAINS.values(), *choices])
    # Under the key of other controls, a phone would hide the names of the two rows of numbers.
    with st.container(horizontal=True, vertical_alignment="bottom"):
        place = choose_place("terms", loaded, text, warnings)
    sliders, formula = st.columns([2, 1], gap="large")
    row = sliders.container(horizontal=True, gap="small", key="gains")
    # Beside the sliders; on a phone it would push the picture out of the first screen, and stands among the words.
    formula.container(key="formula-beside").markdown(TEXT["formula"])
    picture, words = st.columns([2, 1], gap="large")
    # Below the picture, which comes sooner so on a phone.
    maps_place = picture.container()
    with picture.container(horizontal=True, vertical_alignment="bottom"):
        scale = choice("terms-scale", TEXT["scale"], scales)
        scope = choice("gain-scope", TEXT["scope"], scopes)
        st.button(TEXT["reset"], on_click=_set_gains, args=(dict.fromkeys(TERMS, 1.0),), key="gain-reset")
    with row:
        gains = _gains(scope, place)
    before = _read(loaded, text, place, TermGains())
    after = _read(loaded, text, place, gains) if gains.edits() else before
    with maps_place:
        maps = _maps(after, place, characters(text, *_keys(loaded, after, place)), scale)
        _show_maps(maps, place)
    with words:
        values = {"before": before.bits, "after": after.bits, "n": len(after.losses)}
        key = "changed" if gains.edits() else "as trained"
        st.markdown(TEXT[key].format(**values, change=_with_sign(after.bits - before.bits)))
        st.container(key="formula-below").markdown(TEXT["formula"])
        st.markdown(TEXT["what to try"])
        st.markdown(TEXT["what is seen"])
        scale_note = TEXT[f"said {scale}"].format(deepest=written(max(maps.deepest)))
        st.caption(TEXT["sum"].format(off=scientific(after.off), scale=scale_note, largest=maps.largest))


def _gains(scope: str, place: SegmentPlace) -> TermGains:
    """Draw a slider for each term, and return the gains that are set."""
    values = []
    for term, field in _GAINS.items():
        with st.container(width=_GAIN_WIDTH):
            label = TEXT["gain"].format(term=TEXT[f"term {term}"])
            limits = {"min_value": float(field.low), "max_value": float(field.high), "step": float(field.step)}
            values.append(linked(field, label, partial(st.slider, **limits)))
            name = TEXT["without"].format(term=term)
            st.button(name, on_click=_set_gains, args=({term: 0.0},), key=f"without-{term}")
    a, b, c, d = values
    return TermGains((a, b, c, d), None if scope == "all" else place.layer, place.head if scope == "head" else None)


def _set_gains(gains: dict[str, float]) -> None:
    for term, gain in gains.items():
        st.session_state[_GAINS[term].key] = gain


def _read(loaded: LanguageModel, text: GivenText, place: SegmentPlace, gains: TermGains) -> SegmentTerms:
    return _segment_terms(loaded, text, place.segment, place.layer, gains)


@cached_while_unchanged(files_of, max_entries=_MAX_KEPT, key=lambda loaded, text, *at: (loaded.name, text.text, at))
def _segment_terms(loaded: LanguageModel, text: GivenText, segment: int, layer: int, gains: TermGains) -> SegmentTerms:
    row = segment_row(text.ids[None], segment, segment_spec(loaded))
    return segment_terms(loaded.model, row, memories(loaded, text).before(segment), gains, layer)


def _keys(loaded: LanguageModel, computed: SegmentTerms, place: SegmentPlace) -> tuple[int, int]:
    """Return where in the text the first key stands, and where the last one ends."""
    start = place.segment * loaded.segment_length
    return start - computed.n_remembered, start + computed.scores.shape[1]


def _maps(computed: SegmentTerms, place: SegmentPlace, labels: tuple[str, ...], scale: str) -> TermMaps:
    terms, scores, pattern = computed.terms[:, place.head], computed.scores[place.head], computed.pattern[place.head]
    own = tuple(float(np.nanmax(np.abs(values))) or 1.0 for values in (*terms, scores))
    deepest = (max(own),) * len(own) if scale == _SCALES[0] else own
    return TermMaps(terms, scores, pattern, labels, computed.n_remembered, deepest, float(pattern.max()))


def _show_maps(maps: TermMaps, place: SegmentPlace) -> None:
    titles = {term: _ranged(maps.terms[index], "title term", f"term {term}") for index, term in enumerate(TERMS)}
    titles["scores"] = _ranged(maps.scores, "title scores")
    titles["pattern"] = TEXT["title pattern"].format(high=written(maps.largest))
    where = {"segment": place.segment + 1, "layer": place.layer + 1, "head": place.head + 1}
    alt = TEXT["alt"].format(
        **where,
        queries=len(maps.scores),
        remembered=maps.n_remembered,
        ranges=listed_apart(titles[name] for name in (*TERMS, "scores")),
        largest=written(maps.largest),
    )
    name = "terms-segment-{segment}-layer-{layer}-head-{head}".format(**where)
    words = page_text("pages/transformer_xl/term_maps")
    arrays = {"terms": maps.terms, "scores": maps.scores, "pattern": maps.pattern, "characters": np.array(maps.labels)}
    files = offered([File(TEXT["download"], lambda: arrays_as_npz(arrays), f"{name}.npz")], _KEY)
    term_maps(maps, titles=titles, alt=alt, file_name=name, theme=theme(), words=words, key=_KEY, files=files)


def _ranged(values: np.ndarray, key: str, name: str = "") -> str:
    low, high = (written(float(edge)) for edge in (np.nanmin(values), np.nanmax(values)))
    return TEXT[key].format(term=TEXT[name] if name else "", low=low, high=high)


def _with_sign(change: float) -> str:
    return signed(change) if change < 0 else f"+{signed(change)}"


if __name__ == "__main__":
    show()
