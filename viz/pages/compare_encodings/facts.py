"""The page Compare encodings below its pictures: formulas, properties, cost, downloads."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from model.checkpoint import DamagedWeightsError
from model.device import use_one_thread
from model.tasks import find
from model.zoo.plan import ENCODINGS
from model.zoo.scores import learned
from viz.base.exports import arrays_as_npz, columns_as_csv, rows_as_csv
from viz.base.words import listed, page_text
from viz.components.table import table
from viz.pages.compare_encodings.study.comparison import (
    N_TIMED,
    TIMED_BATCH,
    Profile,
    Setting,
    cost,
)
from viz.pages.compare_encodings.study.zoo import more_weights, twice_as_long
from viz.pages.compare_encodings.variants import Column, Variant
from viz.shared.encodings import encoding_title
from viz.shared.model_words import model_words, task_title
from viz.shared.shipped import translator
from viz.shared.zoo import results
from viz.shell.controls import download
from viz.shell.heavy import MEASURING, QueueFullError, full_text, turn
from viz.shell.state import keep_in_session, kept

TEXT = page_text("pages/compare_encodings/facts")
_PROFILES = ("random", "real")


@dataclass(frozen=True)
class MeasuredCost:
    """Milliseconds of an attention layer with each of ``variants`` and with none."""

    setting: Setting
    variants: tuple[Variant, ...]
    times: tuple[tuple[float, float], ...]


def name_tag(column: Column, css_class: str) -> str:
    """Return HTML for the variant's title behind its colour."""
    swatch = f'<span class="swatch" style="background:{column.variant.look.swatch}"></span>'
    return f'<div class="{css_class}">{swatch}{escape(column.variant.title)}</div>'


def show_formulas(columns: Sequence[Column]) -> None:
    """Write each encoding's formula, paper and note, once, however many variants of it there are."""
    st.header(TEXT["formulas"], anchor=False)
    results = _results()
    for encoding in dict.fromkeys(column.variant.encoding for column in columns):
        description = encoding.description
        note = model_words(description.note)
        weights = more_weights(results, description.name).sentence(TEXT, "claim weights")
        # In the line of the text, which breaks where a display of its own would have to scroll.
        credit = f"**{model_words(description.title)}**, {description.paper}"
        st.markdown(f"{credit}: &ensp; ${description.formula}$ &ensp; {note} {weights}")


def show_properties(columns: Sequence[Column], task: str) -> None:
    """Show each encoding's declared properties beside measured ones, and our runs on ``task``."""
    results = _results()
    values = [_properties(column, results, task) for column in columns]
    headings = [TEXT["property"], *(column.variant.title for column in columns)]
    rows = [[name, *(properties[name] for properties in values)] for name in values[0]]
    st.html(table(headings, rows))
    st.caption(TEXT["definition"])
    with st.container(horizontal=True):
        download(TEXT["download properties"], lambda: rows_as_csv(headings, rows), "encoding-properties.csv")
        download(TEXT["download curves"], lambda: _curves_as_csv(columns), "encoding-curves.csv")
        download(TEXT["download all"], lambda: _as_npz(columns), "encodings.npz")


def _results() -> pd.DataFrame:
    try:
        return results()
    except (OSError, ValueError):
        return pd.DataFrame()


def _at_twice(results: pd.DataFrame, task: str, title: str) -> str:
    name = next((name for name in ENCODINGS if planned_title(name) == title), "")
    measured = twice_as_long(results, task, name)
    if measured is None:
        return TEXT["not trained"]
    described = find(task).description
    key = "at twice" if (task, name) in learned(results) else "at twice not learned"
    return TEXT[key].format(
        share=f"{measured.exact_match:.2f}",
        task=task_title(task),
        length=measured.length,
        unit=model_words(described.unit),
        trained=measured.longest_trained,
    )


def planned_title(name: str) -> str:
    """Return what the encoding ``name`` of the zoo's plan is called."""
    return encoding_title(ENCODINGS[name])


def _properties(column: Column, results: pd.DataFrame, task: str) -> dict[str, str]:
    own = column.variant.encoding.description.properties
    yes_no = {True: TEXT["yes"], False: TEXT["no"], None: TEXT["unmeasured"]}
    measured = yes_no[column.effect.is_relative if column.effect else None]
    if column.effect and column.effect.is_nothing:
        measured = TEXT["measured nothing"]
    elif column.effect and column.effect.counts_keys:
        measured = TEXT["measured keys"]
    return {
        TEXT["kind"]: TEXT[f"kind {own.kind}"],
        TEXT["measured"]: measured,
        TEXT["acts on"]: listed(map(model_words, own.acts_on)) or TEXT["nothing"],
        TEXT["learned"]: yes_no[own.learned],
        TEXT["weights"]: f"{column.effect.n_parameters:,}" if column.effect else TEXT["unmeasured"],
        TEXT["decay"]: TEXT[f"decay {own.decay}"],
        TEXT["extrapolates"]: TEXT[f"extrapolates {own.extrapolates}"],
        TEXT["measured at twice"]: _at_twice(results, task, encoding_title(column.variant.config)),
        TEXT["direction"]: yes_no[own.tells_direction],
        TEXT["published"]: TEXT[f"published {own.published_for}"],
        TEXT["cache"]: yes_no[own.cache],
        TEXT["memory"]: yes_no[own.memory],
    }


def _profiles(column: Column) -> dict[str, tuple[Profile, ...]]:
    return {which: getattr(column.effect, which) or () for which in _PROFILES} if column.effect else {}


def _curves_as_csv(columns: Sequence[Column]) -> str:
    rows = [
        (column.variant.number, column.variant.title, which, head, int(distance), *spread)
        for column in columns
        for which, profiles in _profiles(column).items()
        for head, profile in enumerate(profiles, start=1)
        for distance, spread in zip(profile.distances, profile.spread.T, strict=True)
    ]
    names = ("variant", "encoding", "words", "head", "distance", "low", "mean", "high")
    return columns_as_csv(dict(zip(names, zip(*rows, strict=True), strict=False)))


def _as_npz(columns: Sequence[Column]) -> bytes:
    arrays: dict[str, np.ndarray] = {}
    for column in columns:
        if column.effect is None:
            continue
        name = f"{column.variant.number}_{column.variant.config.name}"
        arrays[f"{name}_scores"] = column.effect.scores
        if column.effect.added is not None:
            arrays[f"{name}_added"] = column.effect.added
        for which, profiles in _profiles(column).items():
            for head, profile in enumerate(profiles, start=1):
                arrays[f"{name}_{which}_head_{head}"] = np.vstack((profile.distances, profile.spread))
    return arrays_as_npz(arrays)


@st.fragment
def offer_cost(columns: Sequence[Column], setting: Setting) -> None:
    """Time one attention layer with each encoding and with none, on demand.

    The times stay until a choice changes.
    """
    st.markdown(
        TEXT["cost text"].format(repeats=N_TIMED, batch=TIMED_BATCH, tokens=setting.length, heads=setting.n_heads)
    )
    variants = tuple(column.variant for column in columns if column.problem is None)
    if st.button(TEXT["measure"], key="measure-cost"):
        try:
            with turn(MEASURING):
                keep_in_session(_measure(variants, setting))
        except QueueFullError as error:
            st.warning(full_text(error))
    measured = kept(MeasuredCost)
    if measured is None or (measured.setting, measured.variants) != (setting, variants):
        return
    headings = [TEXT[name] for name in ("encoding", "with", "without", "more")]
    rows = [
        [
            variant.title,
            *(TEXT["milliseconds"].format(value=f"{value:.2f}") for value in (with_it, without)),
            f"{with_it / without:.2f}",
        ]
        for variant, (with_it, without) in zip(variants, measured.times, strict=True)
    ]
    st.html(table(headings, rows, swatches=[variant.look.swatch for variant in variants]))
    in_columns: dict[str, Sequence[object]] = {
        "encoding": [variant.title for variant in variants],
        "milliseconds_with": [with_it for with_it, _ in measured.times],
        "milliseconds_without": [without for _, without in measured.times],
    }
    download(TEXT["download cost"], lambda: columns_as_csv(in_columns), "encoding-cost.csv")


def _measure(variants: tuple[Variant, ...], setting: Setting) -> MeasuredCost:
    use_one_thread()
    times = []
    with st.empty():
        for index, variant in enumerate(variants):
            st.progress(index / len(variants), TEXT["timing"].format(title=variant.title))
            times.append(cost(variant.config, setting))
        st.empty()
    return MeasuredCost(setting, variants, tuple(times))


def is_usable(name: str) -> bool:
    """Return whether the shipped model ``name`` is a translator whose files are the recorded ones."""
    try:
        translator(name)
    except (DamagedWeightsError, OSError, ValueError):
        return False
    return True
