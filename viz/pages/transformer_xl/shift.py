"""The relative shift: from scores by distance to scores by key, in steps."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from jaxtyping import Float32

from pretrained.language_models import LanguageModel
from viz.base.exports import rows_as_csv
from viz.base.link_parameters import Number
from viz.base.numbers import scientific, signed
from viz.base.words import listed, listed_apart, page_text
from viz.pages.transformer_xl.components.relative_shift import STEPS, relative_shift_view
from viz.pages.transformer_xl.opening import show_with_text
from viz.pages.transformer_xl.place import SegmentPlace, characters, choose_place
from viz.pages.transformer_xl.state import GivenText, files_of, memories
from viz.pages.transformer_xl.study.shift import PositionQueries, Shift, position_queries, shift
from viz.pages.transformer_xl.study.terms import has_terms
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import number, place_for_warnings, warn_bad_links
from viz.shell.page import theme
from viz.shell.picture import File, offered

TEXT = page_text("pages/transformer_xl/shift")
_QUERIES = Number("shift-queries", 4, 2, 5)
_REMEMBERED = Number("shift-remembered", 3, 0, 4)
_MAX_KEPT = 16
_KEY = "relative-shift"
Matrix = Float32[np.ndarray, "row column"]


def show() -> None:
    """Draw the page."""
    show_with_text(show_shift)


@st.fragment
def show_shift(loaded: LanguageModel, text: GivenText) -> None:
    """Show the shift on a few characters of ``text``, and check it on a whole segment."""
    if not has_terms(loaded.model):
        st.markdown(TEXT["other encoding"])
        return
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_QUERIES, _REMEMBERED])
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        place = choose_place("shift", loaded, text, warnings)
        requested = number(_QUERIES, TEXT["queries"]), number(_REMEMBERED, TEXT["remembered"], width=150)
    memory = memories(loaded, text).before(place.segment)
    start = place.segment * loaded.segment_length
    tokens = text.ids[None, start : start + loaded.segment_length]
    asked, whole = _whole(loaded, text, place.segment, place.layer)
    n_queries, n_remembered = min(requested[0], tokens.shape[1]), min(requested[1], memory.length)
    if (n_queries, n_remembered) != requested:
        warnings.info(TEXT["too few"].format(memory=memory.length, queries=tokens.shape[1]))
    few = shift(asked.encoding, asked.queries[:, :n_queries], n_queries + n_remembered)
    labels = characters(text, start - n_remembered, start + n_queries)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        _show_steps(few, labels, place)
    with words:
        st.markdown(TEXT["intro"])
        _say(few, whole, asked)


@cached_while_unchanged(files_of, max_entries=_MAX_KEPT, key=lambda loaded, text, *at: (loaded.name, text.text, at))
def _whole(loaded: LanguageModel, text: GivenText, segment: int, layer: int) -> tuple[PositionQueries, Shift]:
    """Return what one layer asks with in a whole segment, and its scores."""
    start = segment * loaded.segment_length
    tokens = text.ids[None, start : start + loaded.segment_length]
    asked = position_queries(loaded.model, tokens, memories(loaded, text).before(segment), layer)
    return asked, shift(asked.encoding, asked.queries, asked.position_bias.shape[-1])


def _show_steps(few: Shift, labels: tuple[str, ...], place: SegmentPlace) -> None:
    scores = few.by_distance[place.head]
    n_queries, n_keys = scores.shape
    remembered = n_keys - n_queries
    where = {"segment": place.segment + 1, "layer": place.layer + 1, "head": place.head + 1}
    st.markdown(TEXT["example"].format(queries=n_queries, remembered=remembered, **where))
    sizes = {"queries": n_queries, "keys": n_keys, "wide": n_keys + 1, "farthest": n_keys - 1, "moved": n_queries - 1}
    words = {f"title {step}": TEXT[f"title {step}"].format(**sizes) for step in STEPS}
    words |= {f"about {step}": TEXT[f"about {step}"].format(**sizes) for step in STEPS}
    matrices = _matrices(few, place.head)
    name = "relative-shift-segment-{segment}-layer-{layer}-head-{head}.csv".format(**where)
    files = offered([File(TEXT["download"], lambda: _as_csv(few, place.head, labels), name)], _KEY)
    relative_shift_view(
        scores,
        labels[remembered:],
        labels,
        alts=[_alt(words[f"title {step}"], matrices[step]) for step in STEPS],
        theme=theme(),
        words={**page_text("pages/transformer_xl/relative_shift"), **words},
        key=_KEY,
        files=files,
    )


def _matrices(few: Shift, head: int) -> dict[str, Matrix]:
    """Return the numbers as they stand after each step, NaN where they are masked."""
    scores, shifted = few.by_distance[head], few.shifted[head]
    n_queries, n_keys = scores.shape
    padded = np.pad(scores, ((0, 0), (1, 0)))  # [Q, K + 1]
    reshaped = padded.reshape(n_keys + 1, n_queries)  # [K + 1, Q]
    masked = np.where(few.allowed, shifted, np.nan).astype(np.float32)
    return dict(zip(STEPS, (scores, padded, reshaped, reshaped[1:], shifted, masked), strict=True))


def _alt(title: str, matrix: Matrix) -> str:
    rows = (listed(TEXT["masked"] if np.isnan(value) else signed(value) for value in row) for row in matrix)
    return TEXT["alt"].format(title=title, rows=len(matrix), columns=matrix.shape[1], numbers=listed_apart(rows))


def _say(few: Shift, whole: Shift, asked: PositionQueries) -> None:
    n_heads, n_queries, _ = whole.shifted.shape
    pairs, keys = whole.n_vectors
    few_pairs, few_keys = few.n_vectors
    cost = {"keys": keys, "pairs": pairs, "few_keys": few_keys, "few_pairs": few_pairs, "queries": n_queries}
    st.markdown(TEXT["cost"].format(**cost))
    model = np.abs(whole.shifted - asked.position_bias.numpy())[:, whole.allowed].max().item()
    st.markdown(TEXT["check"].format(heads=n_heads, difference=scientific(whole.difference), model=scientific(model)))
    st.markdown(TEXT["what to try"])
    st.markdown(TEXT["what is seen"])


def _as_csv(few: Shift, head: int, labels: Sequence[str]) -> str:
    n_queries, n_keys = few.allowed.shape
    names = ("query", "key", "distance", "shifted", "pairwise", "masked")
    rows = [
        [
            labels[n_keys - n_queries + query],
            labels[key],
            n_keys - n_queries + query - key,
            f"{few.shifted[head, query, key]:.6g}",
            f"{few.pairwise[head, query, key]:.6g}",
            int(not few.allowed[query, key]),
        ]
        for query, key in np.ndindex(n_queries, n_keys)
    ]
    return rows_as_csv([TEXT[f"csv {name}"] for name in names], rows)
