"""Page on self-attention: the paper's table 1, live, and the same layers measured on this machine."""

import math
from dataclasses import dataclass, replace
from html import escape

import streamlit as st

from model.analysis.costs.layer_cost import LAYER_KINDS, LayerKind, Sizes
from model.analysis.costs.layer_timing import STEPS, TIMED, Axis, fitted_exponent
from viz.base.colours import OKABE_ITO
from viz.base.exports import rows_as_csv
from viz.base.link_parameters import Choice, in_link
from viz.base.numbers import rounded
from viz.base.words import listed, listed_apart, page_text
from viz.components.table import table
from viz.figures.growth import growth
from viz.pages.why_self_attention.layer_measurement import MAX_SIZES, REPETITIONS, LayerMeasurement
from viz.shell.controls import download, place_for_warnings, slider, warn_bad_links
from viz.shell.heavy import LEASE, MEASURING, QueueFullError, full_text, queue, waiting_text
from viz.shell.picture import File, draw_picture
from viz.shell.state import keep_in_session, kept

TEXT = page_text("pages/why_self_attention/why_self_attention")
NAMES = {kind.name: TEXT[f"layer {kind.name}"] for kind in LAYER_KINDS}
COLOURS = {name: number for number, name in enumerate(NAMES.values())}
_LEGEND = "display:flex;flex-wrap:wrap;gap:0.2rem 1.25rem"
_SWATCH = "display:inline-block;width:1.6rem;height:3px;margin-right:0.5rem;vertical-align:0.25em"
# By default sentences of everyday length, and the sizes of the paper's base model.
_N = Choice("n", 64, (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384))
_D = Choice("d", 512, (16, 32, 64, 128, 256, 512, 1024, 2048, 4096))
_K = Choice("k", 3, (1, 2, 3, 5, 7, 9, 15, 31))
_R = Choice("r", 32, (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024))


@dataclass(frozen=True)
class LinkedSizes(Sizes):
    """The sizes of the layers, as a link holds them."""

    n: int = in_link(_N)
    d: int = in_link(_D)
    k: int = in_link(_K)
    r: int = in_link(_R)


def show() -> None:
    """Draw the page."""
    sizes = _choose_sizes()
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        st.html(_legend())
        st.caption(TEXT["one line"])
        for column, quantity in zip(st.columns(3), ("cost", "steps", "path"), strict=True):
            with column:
                _show_growth(quantity, sizes)
        _write_cheapest(sizes)
        _show_table(sizes)
        st.header(TEXT["measure title"], anchor=False)
        _show_measurement(sizes)
    with words:
        for part in ("what is seen", "what to try"):
            st.markdown(TEXT[part])
        st.markdown(TEXT["formula"].format())
        st.markdown(TEXT["paper"])
        largest = listed(f"{name} = {value:,}" for name, value in vars(MAX_SIZES).items())
        st.caption(TEXT["limits"].format(largest=largest))


def _choose_sizes() -> Sizes:
    warn_bad_links(place_for_warnings(), (_N, _D, _K, _R))
    with st.container(horizontal=True, key="controls"):
        return LinkedSizes(*(slider(field, TEXT[field.key], width=240) for field in (_N, _D, _K, _R)))


def _legend() -> str:
    """Return what the colours mean in all three pictures, and why a line may have several."""
    marks = [
        f'<span><span class="swatch" style="{_SWATCH};background:{_colour(kind)}"></span>'
        f"{escape(NAMES[kind.name])}</span>"
        for kind in LAYER_KINDS
    ]
    return f'<div style="{_LEGEND}">{"".join(marks)}</div>'


def _quantity(kind: LayerKind, quantity: str, sizes: Sizes) -> float:
    measures = {"cost": kind.multiplications, "steps": kind.sequential_operations, "path": kind.maximum_path_length}
    return measures[quantity](sizes)


def _show_growth(quantity: str, sizes: Sizes) -> None:
    curves = {}
    for kind in LAYER_KINDS:
        by_n = {n: _quantity(kind, quantity, replace(sizes, n=n)) for n in _N.options}
        drawn = {n: value for n, value in by_n.items() if math.isfinite(value)}
        curves[NAMES[kind.name]] = ([*drawn], [*drawn.values()])
    figure = growth(curves, colours=COLOURS, x_name=TEXT["axis n"], y_name=TEXT[f"{quantity} title"], here=sizes.n)
    values = listed_apart(f"{NAMES[kind.name]} {_number(_quantity(kind, quantity, sizes))}" for kind in LAYER_KINDS)
    alt = TEXT[f"alt {quantity}"].format(n=sizes.n, values=values)
    draw_picture(figure, key=f"growth-{quantity}", file_name=f"layers-{quantity}", alt=alt, is_narrow=True)


def _write_cheapest(sizes: Sizes) -> None:
    costs = {f"*{NAMES[kind.name]}*": kind.multiplications(sizes) for kind in LAYER_KINDS}
    fewest, most = min(costs.values()), max(costs.values())
    st.markdown(
        TEXT["cheapest"].format(
            n=f"{sizes.n:,}",
            d=f"{sizes.d:,}",
            cheapest=listed_apart(name for name, cost in costs.items() if cost == fewest),
            min_cost=f"{fewest:,}",
            costliest=listed_apart(name for name, cost in costs.items() if cost == most),
            max_cost=f"{most:,}",
        )
    )


def _show_table(sizes: Sizes) -> None:
    headings = [TEXT[name] for name in ("kind", "cost", "steps", "path", "counted")]
    rows = [
        [
            NAMES[kind.name],
            *(_solved(formula, value) for formula, value in zip(kind.formulas, _orders(kind, sizes), strict=True)),
            f"{kind.multiplications(sizes):,}",
        ]
        for kind in LAYER_KINDS
    ]
    st.html(table(headings, rows, swatches=[_colour(kind) for kind in LAYER_KINDS]))
    plain = [
        [
            NAMES[kind.name],
            *(value if math.isfinite(value) else "" for value in _orders(kind, sizes)),
            kind.multiplications(sizes),
        ]
        for kind in LAYER_KINDS
    ]
    download(TEXT["download table"], lambda: rows_as_csv(headings, plain), "layers.csv")


def _solved(formula: str, value: float) -> str:
    number = _number(value)
    return number if formula == number else f"{formula} = {number}"


def _number(value: float) -> str:
    return f"{value:,}" if math.isfinite(value) else "∞"


def _orders(kind: LayerKind, sizes: Sizes) -> tuple[int, int, float]:
    return kind.complexity(sizes), kind.sequential_operations(sizes), kind.maximum_path_length(sizes)


def _show_measurement(chosen: Sizes) -> None:
    sizes = Sizes(**{name: min(value, getattr(MAX_SIZES, name)) for name, value in vars(chosen).items()})
    st.markdown(TEXT["measure text"].format(repetitions=REPETITIONS, k=sizes.k, r=sizes.r))
    measurement = kept(LayerMeasurement)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        vary = st.segmented_control(
            TEXT["vary"],
            tuple(STEPS),
            default="n",
            required=True,
            format_func=lambda axis: TEXT[f"vary {axis}"].format(n=sizes.n, d=sizes.d),
            key="vary",
        )
        is_asked = st.button(TEXT["measure"], key="measure-layers")
        st.button(
            TEXT["stop"],
            on_click=_stop,
            disabled=measurement is None or not measurement.is_running,
            key="stop-measuring",
        )
    if is_asked:
        _start(sizes, vary or "n")
    if measurement is None:
        st.caption(TEXT["not yet"])
    elif measurement.is_running:
        st.fragment(_watch, run_every=0.5)(measurement)
    else:
        _show_timings(measurement)


def _start(sizes: Sizes, vary: Axis) -> None:
    _stop()
    try:
        place = queue().enter(MEASURING, LEASE)
    except QueueFullError as error:
        st.warning(full_text(error))
        return
    keep_in_session(LayerMeasurement(sizes, vary, place))
    st.rerun()


def _stop() -> None:
    measurement = kept(LayerMeasurement)
    if measurement is not None:
        measurement.stop()


def _watch(measurement: LayerMeasurement) -> None:
    if not measurement.is_running:
        st.rerun()
    measurement.place.renew()
    if n_ahead := measurement.place.n_ahead:
        st.caption(waiting_text(n_ahead))
        return
    done = len(measurement.read().layers)
    st.progress(done / measurement.n_layers, TEXT["running"].format(done=done, all=measurement.n_layers))
    _show_timings(measurement)


def _show_timings(measurement: LayerMeasurement) -> None:
    timings = measurement.read()
    if measurement.failure:
        st.warning(TEXT["failed"].format(reason=measurement.failure))
    if measurement.is_stopped:
        st.caption(TEXT["stopped"].format(done=len(timings.layers), all=measurement.n_layers))
    if not timings.layers:
        return
    axis = measurement.vary
    curves = {}
    for kind in TIMED:
        layers = [layer for layer in timings.layers if layer["kind"] == kind.name]
        if layers:
            curves[NAMES[kind.name]] = ([layer[axis] for layer in layers], [layer["milliseconds"] for layer in layers])
    figure = growth(curves, colours=COLOURS, x_name=TEXT[f"axis {axis}"], y_name=TEXT["time title"], markers=True)
    alt = TEXT["alt time"].format(axis=axis, kinds=listed(curves))
    columns = tuple(timings.layers[0])
    rows = [list(layer.values()) for layer in timings.layers]
    file = File(TEXT["download times"], lambda: rows_as_csv(columns, rows), "layer-times.csv")
    draw_picture(figure, key="times", file_name=f"layers-by-{axis}", alt=alt, files=[file])
    _show_slopes(curves, axis)
    st.caption(TEXT["on"].format(machine=timings.machine))


def _show_slopes(curves: dict[str, tuple[list[int], list[float]]], axis: str) -> None:
    kinds = [kind for kind in TIMED if len(curves.get(NAMES[kind.name], ([], []))[0]) > 1]
    rows = []
    for kind in kinds:
        sizes, times = curves[NAMES[kind.name]]
        theory = kind.exponents[0 if axis == "n" else 1]
        last = TEXT["milliseconds"].format(value=rounded(times[-1]))
        rows.append([NAMES[kind.name], f"{fitted_exponent(sizes, times):.2f}", str(theory), last])
    if rows:
        headings = [TEXT[name] for name in ("kind", "slope", "theory", "largest")]
        st.html(table(headings, rows, swatches=[_colour(kind) for kind in kinds]))


def _colour(kind: LayerKind) -> str:
    return OKABE_ITO[COLOURS[NAMES[kind.name]]]


if __name__ == "__main__":
    show()
