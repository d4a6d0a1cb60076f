"""Pictures of how a model encodes positions, with one of our encodings beside it."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from pretrained.huggingface.foreign_positions import ForeignPositions
from viz.base.exports import arrays_as_npz, matrix_as_csv
from viz.base.markdown import plain
from viz.base.numbers import in_full, signed
from viz.base.words import page_text
from viz.figures.lines import lines
from viz.figures.position_map import position_map
from viz.pages.your_model.study.position_pattern import Pattern, by_distance
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/your_model/position_pictures")
_MAP_HEIGHT, _LOW_HEIGHT = 380, 300
# A few numbers of a learned table are far larger than the rest, which would vanish beside them.
_DEEPEST_SHARE = 0.99


@dataclass(frozen=True)
class Both:
    """One encoding of theirs, what it makes of every two positions, and what ours of that ``title`` does."""

    name: str
    positions: ForeignPositions
    theirs: Pattern
    ours: Pattern
    title: str
    head: int


def draw(both: Both) -> None:
    """Draw both maps, what the model holds, and what is said of it."""
    st.markdown(_see(both))
    left, right = st.columns(2, gap="large")
    with left:
        _draw_map("theirs", both.name, both.theirs, both.head)
    with right:
        _draw_map("ours", both.title, both.ours, both.head)
    left, right = st.columns(2, gap="large")
    with left:
        _draw_itself(both)
    with right:
        st.markdown(_description(both))
        st.markdown(TEXT[f"formula {both.positions.kind}"])
        st.markdown(TEXT["what to try"])


def _draw_map(key: str, name: str, pattern: Pattern, head: int) -> None:
    # Vectors are the same for all heads.
    values = pattern.values[head % len(pattern.values)]
    st.markdown(TEXT[f"map {pattern.meaning}"].format(name=plain(name)))
    figure = position_map(
        values,
        row_name=TEXT["query" if pattern.meaning != "vectors" else "position"],
        column_name=TEXT["key" if pattern.meaning != "vectors" else "position"],
        hover=TEXT["hover"],
        height=_MAP_HEIGHT,
    )
    low, high = signed(np.nanmin(values)), signed(np.nanmax(values))
    alt = TEXT["alt map"].format(name=name, n=len(values), low=low, high=high)
    labels = [f"{position}" for position in range(len(values))]
    files = [
        File(TEXT["save map"], lambda: matrix_as_csv(values, labels, labels), f"positions-{key}.csv"),
        File(TEXT["save heads"], lambda: arrays_as_npz({"heads": pattern.values}), f"positions-{key}.npz"),
    ]
    draw_picture(figure, key=f"map-{key}", file_name=f"positions-{key}", alt=alt, files=files)


def _draw_itself(both: Both) -> None:
    """Draw what the model holds: the table, the wavelengths, or the bias of each head against distance."""
    positions = both.positions
    st.markdown(TEXT[f"itself {positions.kind}"])
    alt = TEXT[f"alt {positions.kind}"].format(name=both.name)
    arrays = {"values": positions.values} | ({} if positions.plain is None else {"plain": positions.plain})
    files = [File(TEXT["save itself"], lambda: arrays_as_npz(arrays), f"positions-{positions.kind}.npz")]
    draw_picture(_itself(both), key="itself", file_name=f"positions-{positions.kind}", alt=alt, files=files)


def _itself(both: Both) -> go.Figure:
    positions = both.positions
    if positions.kind == "rotary":
        return _wavelengths(positions)
    n = both.theirs.values.shape[-1]
    # Of a bias, the last query has seen every distance.
    values = positions.values[:n] if positions.kind == "table" else both.theirs.values[:, -1, ::-1]
    rows, columns = ("position", "dimension") if positions.kind == "table" else ("head axis", "distance")
    return position_map(
        np.ascontiguousarray(values),
        row_name=TEXT[rows],
        column_name=TEXT[columns],
        hover=TEXT[f"hover {positions.kind}"],
        height=_LOW_HEIGHT,
        deepest=float(np.quantile(np.abs(values), _DEEPEST_SHARE)) or None,
    )


def _wavelengths(positions: ForeignPositions) -> go.Figure:
    pairs, settings = np.arange(len(positions.values), dtype=np.float64), positions.settings
    curves = {TEXT["used"]: 2 * np.pi / positions.values}
    if positions.plain is not None and not np.allclose(positions.plain, positions.values):
        curves[TEXT["of base"]] = 2 * np.pi / positions.plain
    curves |= {
        TEXT[name].format(n=f"{settings[name]:,.0f}"): np.full(len(pairs), float(settings[name]))
        for name in ("trained", "context")
        if settings[name] and (name == "context" or settings["trained"] != settings["context"])
    }
    return lines(pairs, curves, x_name=TEXT["pair"], y_name=TEXT["wavelength"], logarithmic_y=True, height=_LOW_HEIGHT)


def _see(both: Both) -> str:
    pattern, last = both.theirs, both.theirs.values.shape[-1] - 1
    near, far = (by_distance(pattern, both.head, distance) for distance in (1, min(50, last)))
    return TEXT[f"see {both.positions.kind}"].format(
        name=plain(both.name), near=signed(near), far=signed(far), distance=min(50, last), head=both.head + 1
    )


def _description(both: Both) -> str:
    positions = both.positions
    if positions.kind == "rotary":
        return _rotary_description(positions)
    rows, columns = positions.values.shape if positions.values.ndim == 2 else (1, len(positions.values))
    return TEXT[f"told {positions.kind}"].format(
        rows=f"{positions.settings.get('rows', rows):,.0f}",
        columns=f"{columns:,}",
        longest=f"{positions.settings.get('max_distance', 0):,.0f}",
        steepest=f"{positions.values.max():.3g}",
        flattest=f"{positions.values.min():.3g}",
    )


def _rotary_description(positions: ForeignPositions) -> str:
    numbers = {name: in_full(value) for name, value in positions.settings.items()}
    n_unfinished = int((positions.settings["context"] * positions.values < 2 * np.pi).sum())
    scaling = TEXT[f"scaling {positions.scaling}"].format(**numbers)
    return TEXT["told rotary"].format(pairs=len(positions.values), incomplete=n_unfinished, scaling=scaling, **numbers)
