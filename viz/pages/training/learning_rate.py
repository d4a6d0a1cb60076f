"""The paper's learning rate: what d_model and the warm-up do to it."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from viz.base.exports import rows_as_csv
from viz.base.link_parameters import Choice, in_link, labelled, parameters_of
from viz.base.words import page_text
from viz.figures.lines import lines
from viz.pages.training.study.schedule import PAPER_D_MODEL, PAPER_WARMUP, paper_rates, peak
from viz.shell.controls import place_for_warnings, slider, warn_bad_links
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/training/learning_rate")
_HEIGHT = 340
_N_POINTS = 400


def _numbers(key: str, values: Iterable[int], default: int) -> Choice[int]:
    return labelled(key, {value: f"{value:,}" for value in values}, default)


_D_MODEL = _numbers("rate-d-model", (64, 128, 256, 512, 1024), 256)
_WARMUP = _numbers("rate-warmup", (100, 200, 500, 1000, 1200, 2000, 4000, 8000, 16_000), 1200)
_STEPS = _numbers("rate-steps", (2000, 5000, 10_000, 20_000, 50_000, 100_000), 20_000)


@dataclass(frozen=True)
class RateSchedule:
    """State of the page: the width of the model, the warm-up steps, and all steps."""

    d_model: int = in_link(_D_MODEL)
    warmup: int = in_link(_WARMUP)
    n_steps: int = in_link(_STEPS)


def show() -> None:
    """Draw the page."""
    warn_bad_links(place_for_warnings(), parameters_of(RateSchedule).values())
    picture, words = st.columns([3, 2], gap="large")
    with picture:
        st.markdown(TEXT["see"])
        curves = st.container()
        chosen = _ask()
        with curves:
            _show_curves(chosen)
    with words:
        high, paper = peak(chosen.d_model, chosen.warmup), peak(PAPER_D_MODEL, PAPER_WARMUP)
        st.markdown(
            TEXT["peak"].format(
                peak=f"{high:.2g}", warmup=f"{chosen.warmup:,}", paper=f"{paper:.2g}", times=f"{high / paper:.2g}"
            )
        )
        st.markdown(TEXT["formula"])
        st.markdown(TEXT["what to try"])
        st.markdown(TEXT["paper"])


def _ask() -> RateSchedule:
    columns = st.columns(3)
    values = []
    controls: list[tuple[Choice[int], str]] = [(_D_MODEL, "width"), (_WARMUP, "warmup"), (_STEPS, "steps")]
    for column, (field, name) in zip(columns, controls, strict=True):
        with column:
            values.append(slider(field, TEXT[name]))
    return RateSchedule(*values)


def _show_curves(chosen: RateSchedule) -> None:
    even = np.round(np.linspace(1, chosen.n_steps, _N_POINTS))
    steps = np.unique(np.append(even, min(chosen.warmup, chosen.n_steps)))
    at_once = paper_rates(steps, d_model=chosen.d_model, warmup=chosen.warmup, has_warmup=False)
    curves = {
        TEXT["yours"].format(d_model=chosen.d_model, warmup=f"{chosen.warmup:,}"): paper_rates(
            steps, d_model=chosen.d_model, warmup=chosen.warmup
        ),
        TEXT["base"]: paper_rates(steps, d_model=PAPER_D_MODEL, warmup=PAPER_WARMUP),
        TEXT["no warmup"]: np.where(steps <= chosen.warmup, at_once, np.nan),
    }
    figure = lines(
        steps,
        curves,
        x_name=TEXT["step"],
        y_name=TEXT["rate"],
        marks={TEXT["end of warmup"]: chosen.warmup} if chosen.warmup < chosen.n_steps else None,
        height=_HEIGHT,
    )
    alt = TEXT["alt"].format(
        n=f"{chosen.n_steps:,}", warmup=f"{chosen.warmup:,}", peak=f"{peak(chosen.d_model, chosen.warmup):.2g}"
    )
    rows = [[f"{step:.0f}", *(f"{curve[place]:.6g}" for curve in curves.values())] for place, step in enumerate(steps)]
    files = [File(TEXT["download"], lambda: rows_as_csv([TEXT["step"], *curves], rows), "learning-rate.csv")]
    draw_picture(figure, key="learning-rate", file_name="learning-rate", alt=alt, files=files)
