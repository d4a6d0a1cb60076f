"""Comparison of a translation with another one: evidence for both, token by token."""

import math

import numpy as np
import streamlit as st

from model.decoding.options import DecodingOptions
from viz.base.link_parameters import Text
from viz.base.markdown import plain
from viz.base.numbers import rounded, signed, times_power_of_ten
from viz.base.words import page_text
from viz.figures.bars import bars
from viz.figures.lines import lines
from viz.pages.translate.study.contrast import OtherTargetError, ShownContrast, shown_contrast
from viz.shared.sentence import MAX_CHARACTERS
from viz.shared.shipped import translator
from viz.shared.translation import DecodingChoice, TranslationResult, translated
from viz.shell.controls import place_for_warnings, text_input, warn_bad_links
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/translate/contrast")
_INSTEAD = Text("instead", "", MAX_CHARACTERS)


@st.fragment
def show_contrast(result: TranslationResult) -> None:
    """Compare ``result`` with the translation that is typed, else with the runner-up of its search."""
    warn_bad_links(place_for_warnings(), [_INSTEAD])
    typed = text_input(_INSTEAD, TEXT["other"], placeholder=TEXT["other placeholder"], live="500ms")
    other = typed or _runner_up(result)
    if not other:
        st.caption(TEXT["type one"])
        return
    try:
        contrasted = _contrast(result.text, result.choice, result.begin, other)
    except OtherTargetError as error:
        st.warning(plain(error.sentence(TEXT)))
        return
    _show(contrasted, other, _ranked(contrasted, translator(result.choice.model).options))


def _runner_up(result: TranslationResult) -> str:
    """Return the second whole translation of the search, if it had one.

    It is the first question that comes up.
    """
    ours = result.translation.text
    return next((text for _, text in result.hypotheses if text != ours), "")


@st.cache_data(max_entries=32, show_spinner=False)
def _contrast(text: str, choice: DecodingChoice, begin: tuple[int, ...], other: str) -> ShownContrast:
    return shown_contrast(translator(choice.model), translated(text, choice, begin).translation, other)


def _show(contrasted: ShownContrast, other: str, ranked: str) -> None:
    by = abs(contrasted.difference)
    verdict = TEXT["more probable" if contrasted.difference >= 0 else "less probable"]
    totals = {
        "this": signed(contrasted.this.total),
        "other_total": signed(contrasted.other.total),
        "difference": signed(by),
    }
    st.markdown(verdict.format(other=plain(other), times=times_as_probable(by), **totals))
    st.markdown(ranked)
    picture, words = st.columns([3, 2], gap="large")
    with picture:
        heights = {TEXT["gradient"]: contrasted.gradient, TEXT["left out"]: contrasted.left_out}
        figure = bars(contrasted.source, heights, y_name=TEXT["adds"])
        file = File(TEXT["download"], contrasted.as_csv, "why.csv")
        draw_picture(figure, key="why-source", file_name="why-source", alt=_alt(contrasted), files=[file])
        n = max(len(contrasted.this.labels), len(contrasted.other.labels))
        curves = {TEXT["this"]: _running(contrasted.this.log_probabilities, n)}
        curves |= {TEXT["other one"]: _running(contrasted.other.log_probabilities, n)}
        steps = lines(
            np.arange(1, n + 1, dtype=np.float64),
            curves,
            x_name=TEXT["token"],
            y_name=TEXT["so far"],
            height=200,
        )
        alt = TEXT["so far alt"].format(**totals)
        draw_picture(steps, key="why-steps", file_name="why-steps", alt=alt)
    with words:
        st.markdown(_parting(contrasted))
        st.markdown(TEXT["what is seen"])
        st.markdown(TEXT["paper"])


def _ranked(contrasted: ShownContrast, options: DecodingOptions) -> str:
    """Return how the beam's score compares the two.

    That can be the other way round than their probabilities.
    """
    score, other_score = (
        options.score(side.log_probabilities.tolist()) for side in (contrasted.this, contrasted.other)
    )
    return TEXT["ranked"].format(
        length_penalty=options.length_penalty,
        n=len(contrasted.this.labels),
        score=signed(score, 3),
        other_n=len(contrasted.other.labels),
        other_score=signed(other_score, 3),
        verdict=TEXT["ranks this" if score >= other_score else "ranks other"],
    )


def times_as_probable(difference: float) -> str:
    """Return e to the power of ``difference``, in nats and not below 0, for reading."""
    exponent, rest = divmod(difference / math.log(10), 1)
    if exponent < 6:
        return rounded(math.exp(difference))
    digits, carried = f"{10**rest:.1e}".split("e")
    return times_power_of_ten(digits, int(exponent) + int(carried))


def _running(log_probabilities: np.ndarray, n: int) -> np.ndarray:
    """Return the sums so far, and nothing after the end."""
    sums = np.full(n, np.nan)
    sums[: len(log_probabilities)] = np.cumsum(log_probabilities)
    return sums


def _parting(contrasted: ShownContrast) -> str:
    at = contrasted.n_shared
    one, other = contrasted.this, contrasted.other
    return TEXT["parting"].format(
        place=at + 1,
        one=plain(one.labels[at]),
        one_share=f"{np.exp(one.log_probabilities[at]):.1%}",
        other=plain(other.labels[at]),
        other_share=f"{np.exp(other.log_probabilities[at]):.1%}",
    )


def _alt(contrasted: ShownContrast) -> str:
    strongest = int(np.nanargmax(np.abs(contrasted.gradient)))
    value = signed(float(contrasted.gradient[strongest]))
    return TEXT["source alt"].format(n=len(contrasted.source), token=contrasted.source[strongest], value=value)
