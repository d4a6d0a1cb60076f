"""Why self-attention: the paper's table 1, live, and the same layers measured on this machine."""

from dataclasses import replace

import streamlit as st

from model.analysis.layer_cost import LAYER_KINDS, LayerKind, Sizes
from model.analysis.layer_timing import STEPS, TIMED, fitted_exponent
from viz.base.colours import OKABE_ITO
from viz.base.exports import rows_as_csv
from viz.base.words import page_text
from viz.components.table import table
from viz.figures.growth import growth
from viz.pages.why_self_attention.layer_measurement import LARGEST, REPETITIONS, Measurement
from viz.shell.controls import download
from viz.shell.page import plot_config, theme

TEXT = page_text("pages/why_self_attention/why_self_attention")
NAMES = {kind.name: TEXT[f"layer {kind.name}"] for kind in LAYER_KINDS}
COLOURS = {name: number for number, name in enumerate(NAMES.values())}
_RANGES = {
    "n": (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384),
    "d": (16, 32, 64, 128, 256, 512, 1024, 2048, 4096),
    "k": (1, 2, 3, 5, 7, 9, 15, 31),
    "r": (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024),
}
# Sentences of everyday length, and the sizes of the paper's base model.
_DEFAULTS = {"n": 64, "d": 512, "k": 3, "r": 32}


def show() -> None:
    """Draw the page."""
    sizes = _choose_sizes()
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        for column, quantity in zip(st.columns(3), ("cost", "steps", "path"), strict=True):
            with column:
                _show_growth(quantity, sizes)
        _say_cheapest(sizes)
        _show_table(sizes)
        st.header(TEXT["measure title"], anchor=False)
        _show_measurement(sizes)
    with words:
        for part in ("what is seen", "what to try"):
            st.markdown(TEXT[part])
        st.markdown(TEXT["formula"].format())
        st.markdown(TEXT["paper"])
        largest = ", ".join(f"{name} = {value:,}" for name, value in vars(LARGEST).items())
        st.caption(TEXT["limits"].format(largest=largest))


def _choose_sizes() -> Sizes:
    with st.container(horizontal=True, key="controls"):
        chosen = {
            name: st.select_slider(TEXT[name], steps, _DEFAULTS[name], key=name, bind="query-params", width=240)
            for name, steps in _RANGES.items()
        }
    return Sizes(**chosen)


def _quantity(kind: LayerKind, quantity: str, sizes: Sizes) -> int:
    measures = {"cost": kind.multiplications, "steps": kind.sequential_operations, "path": kind.maximum_path_length}
    return measures[quantity](sizes)


def _show_growth(quantity: str, sizes: Sizes) -> None:
    steps = _RANGES["n"]
    curves = {
        NAMES[kind.name]: (steps, [_quantity(kind, quantity, replace(sizes, n=n)) for n in steps])
        for kind in LAYER_KINDS
    }
    figure = growth(
        curves, colours=COLOURS, theme=theme(), x_name=TEXT["axis n"], y_name=TEXT[f"{quantity} title"], here=sizes.n
    )
    values = "; ".join(f"{NAMES[kind.name]} {_quantity(kind, quantity, sizes):,}" for kind in LAYER_KINDS)
    alt = TEXT[f"alt {quantity}"].format(n=sizes.n, values=values)
    st.plotly_chart(figure, theme=None, key=f"growth-{quantity}", config=plot_config(f"layers-{quantity}"), alt=alt)


def _say_cheapest(sizes: Sizes) -> None:
    ranked = sorted(LAYER_KINDS, key=lambda kind: kind.multiplications(sizes))
    cheapest, dearest = ranked[0], ranked[-1]
    st.markdown(
        TEXT["cheapest"].format(
            n=f"{sizes.n:,}",
            d=f"{sizes.d:,}",
            cheapest=NAMES[cheapest.name].lower(),
            fewest=f"{cheapest.multiplications(sizes):,}",
            dearest=NAMES[dearest.name].lower(),
            most=f"{dearest.multiplications(sizes):,}",
        )
    )


def _show_table(sizes: Sizes) -> None:
    headings = [TEXT[name] for name in ("kind", "cost", "steps", "path", "counted")]
    rows = [
        [
            NAMES[kind.name],
            *(f"O({formula}) = {value:,}" for formula, value in zip(kind.formulas, _orders(kind, sizes), strict=True)),
            f"{kind.multiplications(sizes):,}",
        ]
        for kind in LAYER_KINDS
    ]
    st.html(table(headings, rows, swatches=[_colour(kind) for kind in LAYER_KINDS]))
    plain = [
        [NAMES[kind.name], *map(str, _orders(kind, sizes)), str(kind.multiplications(sizes))] for kind in LAYER_KINDS
    ]
    download(TEXT["download table"], lambda: rows_as_csv(headings, plain), "layers.csv")


def _orders(kind: LayerKind, sizes: Sizes) -> tuple[int, int, int]:
    return kind.complexity(sizes), kind.sequential_operations(sizes), kind.maximum_path_length(sizes)


def _show_measurement(chosen: Sizes) -> None:
    sizes = Sizes(**{name: min(value, getattr(LARGEST, name)) for name, value in vars(chosen).items()})
    st.markdown(TEXT["measure text"].format(repetitions=REPETITIONS, k=sizes.k, r=sizes.r))
    running: Measurement | None = st.session_state.get("measurement")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        vary = st.segmented_control(
            TEXT["vary"],
            tuple(STEPS),
            default="n",
            required=True,
            format_func=lambda axis: TEXT[f"vary {axis}"].format(n=sizes.n, d=sizes.d),
            key="vary",
        )
        st.button(TEXT["measure"], on_click=_start, args=(sizes, vary or "n"), key="measure")
        st.button(TEXT["stop"], on_click=_stop, disabled=running is None or not running.is_running, key="stop")
    if running is None:
        st.caption(TEXT["not yet"])
    elif running.is_running:
        st.fragment(_watch, run_every=0.5)(running)
    else:
        _show_measured(running)


def _start(sizes: Sizes, vary) -> None:
    _stop()
    st.session_state["measurement"] = Measurement(sizes, vary)


def _stop() -> None:
    running: Measurement | None = st.session_state.get("measurement")
    if running is not None:
        running.stop()


def _watch(running: Measurement) -> None:
    if not running.is_running:
        st.rerun()
    done = len(running.read().timings)
    st.progress(done / running.n_all, TEXT["running"].format(done=done, all=running.n_all))
    _show_measured(running)


def _show_measured(running: Measurement) -> None:
    measured = running.read()
    if running.failure:
        st.warning(TEXT["failed"].format(reason=running.failure))
    if running.is_stopped:
        st.caption(TEXT["stopped"].format(done=len(measured.timings), all=running.n_all))
    if not measured.timings:
        return
    axis = running.vary
    curves = {}
    for kind in TIMED:
        found = [timing for timing in measured.timings if timing["kind"] == kind.name]
        if found:
            curves[NAMES[kind.name]] = ([one[axis] for one in found], [one["milliseconds"] for one in found])
    figure = growth(
        curves,
        colours=COLOURS,
        theme=theme(),
        x_name=TEXT[f"axis {axis}"],
        y_name=TEXT["time title"],
        markers=True,
    )
    alt = TEXT["alt time"].format(axis=axis, kinds=", ".join(curves))
    st.plotly_chart(figure, theme=None, key="times", config=plot_config(f"layers-by-{axis}"), alt=alt)
    _show_slopes(curves, axis)
    st.caption(TEXT["on"].format(machine=measured.machine))
    if not running.is_running:
        columns = tuple(measured.timings[0])
        rows = [list(one.values()) for one in measured.timings]
        download(TEXT["download times"], lambda: rows_as_csv(columns, rows), "layer-times.csv")


def _show_slopes(curves: dict[str, tuple[list[int], list[float]]], axis: str) -> None:
    kinds = [kind for kind in TIMED if len(curves.get(NAMES[kind.name], ([], []))[0]) > 1]
    rows = []
    for kind in kinds:
        sizes, times = curves[NAMES[kind.name]]
        theory = kind.exponents[0 if axis == "n" else 1]
        last = TEXT["milliseconds"].format(value=f"{times[-1]:.3g}")
        rows.append([NAMES[kind.name], f"{fitted_exponent(sizes, times):.2f}", str(theory), last])
    if rows:
        headings = [TEXT[name] for name in ("kind", "slope", "theory", "largest")]
        st.html(table(headings, rows, swatches=[_colour(kind) for kind in kinds]))


def _colour(kind: LayerKind) -> str:
    return OKABE_ITO[COLOURS[NAMES[kind.name]]]


show()
