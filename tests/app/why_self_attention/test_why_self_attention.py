"""Why self-attention, run by Streamlit without a browser."""

import csv
import json
import time

import psutil
import pytest
import streamlit as st

from model.analysis.costs.layer_cost import LAYER_KINDS, Sizes
from model.analysis.costs.layer_timing import STEPS, TIMED, Axis
from tests.app.running import alts, open_page, run, saved_files, written
from viz.pages.why_self_attention.layer_measurement import MAX_SIZES, LayerMeasurement
from viz.shell import heavy
from viz.shell.heavy import LEASE, MEASURING, Queue
from viz.shell.state import session_key

PAGE = "why_self_attention"


def begun(sizes: Sizes, axis: Axis, queue: Queue | None = None) -> LayerMeasurement:
    return LayerMeasurement(sizes, axis, (queue or Queue()).enter(MEASURING, LEASE))


def wait(measurement: LayerMeasurement) -> None:
    deadline = time.monotonic() + 60
    while measurement.is_running and time.monotonic() < deadline:
        measurement.place.renew()
        time.sleep(0.1)


def wait_for_a_layer(measurement: LayerMeasurement) -> None:
    deadline = time.monotonic() + 60
    while not measurement.read().layers and time.monotonic() < deadline:
        measurement.place.renew()
        time.sleep(0.05)


def test_the_table_holds_the_paper_s_numbers_for_the_chosen_sizes() -> None:
    app = open_page(PAGE, n="128", d="64", k="7", r="16")
    sizes = Sizes(128, 64, 7, 16)
    for kind in LAYER_KINDS:
        assert f"{kind.formulas[0]} = {kind.complexity(sizes):,}" in written(app)
        assert f"{kind.multiplications(sizes):,}" in written(app)


def test_layers_that_cost_the_same_are_named_together() -> None:
    text = written(open_page(PAGE))
    assert "the most 50,331,648 (*Convolution, kernel k*; *Convolution, dilated*)" in text
    assert "(*Self-attention in a window of r*)" in text


def test_a_dilated_kernel_of_one_token_has_no_path_and_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    saved = saved_files(monkeypatch, "viz.shell.controls")
    app = open_page(PAGE, k="1")
    assert "log n / log k = ∞" in written(app)
    (path,) = (chart.proto for chart in app.get("plotly_chart") if "path" in chart.key)
    assert "Convolution, dilated ∞" in path.alt
    lines = {line["name"]: line for line in json.loads(path.spec)["data"]}
    assert len(json.dumps(lines["Convolution, dilated"]["y"])) < len(json.dumps(lines["Recurrent"]["y"]))
    assert "inf" not in path.spec.lower()
    *_, (_, _, _, path_length, _) = csv.reader(saved["layers.csv"].splitlines())
    assert path_length == ""


def test_a_slider_moves_table_charts_and_sentence() -> None:
    app = open_page(PAGE)
    before = written(app), alts(app)
    app.select_slider(key="n").set_value(4096)
    run(app)
    after = written(app), alts(app)
    assert all(old != new for old, new in zip(before[1], after[1], strict=True))
    assert before[0] != after[0]
    assert any("n = 4,096" in entry.value for entry in app.markdown)


@pytest.mark.parametrize("value", ["nan", "0", "-1", "17", "1e9", "<b>"])
def test_an_odd_size_in_a_link_falls_back(value: str) -> None:
    assert written(open_page(PAGE, n=value, d=value, k=value, r=value)) == written(open_page(PAGE))


@pytest.mark.parametrize("axis", ["n", "d"])
def test_a_measurement_in_a_process_of_its_own_is_whole(axis: Axis) -> None:
    measurement = begun(Sizes(128, 32, 3, 8), axis)
    first = measurement.read()
    assert len(first.layers) < measurement.n_layers
    wait(measurement)
    timings = measurement.read()
    assert measurement.failure is None
    assert len(timings.layers) == measurement.n_layers == len(STEPS[axis]) * len(TIMED)
    assert "1 thread" in (timings.machine or "")


def test_a_stopped_measurement_keeps_what_it_has() -> None:
    measurement = begun(MAX_SIZES, "n")
    wait_for_a_layer(measurement)
    measurement.stop()
    assert not measurement.is_running
    assert measurement.failure is None
    assert 0 < len(measurement.read().layers) < measurement.n_layers


def test_a_finished_measurement_is_shown_with_slopes_beside_the_theory() -> None:
    app = open_page(PAGE)
    assert app.button(key="stop-measuring").disabled
    measurement = begun(Sizes(64, 32, 3, 8), "n")
    wait(measurement)
    app.session_state[session_key(LayerMeasurement)] = measurement
    run(app)
    assert "Slope in theory" in written(app)
    assert any(measurement.read().machine in caption.value for caption in app.caption)
    assert len(app.get("plotly_chart")) == 4
    assert all(alts(app))


def processes() -> int:
    children = psutil.Process().children(recursive=True)
    return sum("model.analysis.costs.layer_timing" in child.cmdline() for child in children if child.is_running())


def test_of_several_visitors_one_measures_and_the_others_wait_and_see_their_place() -> None:
    # Of a clock that stands still: on a busy machine a lease could end before the first layer is timed.
    app, queue = open_page(PAGE), Queue(lambda: 0.0)
    measurements = [begun(MAX_SIZES, "n", queue) for _ in range(8)]
    wait_for_a_layer(measurements[0])
    assert processes() == 1
    app.session_state[session_key(LayerMeasurement)] = measurements[2]
    assert any("2 ahead of you" in entry.value for entry in run(app).caption)
    for measurement in reversed(measurements):
        measurement.stop()
    assert processes() == 0
    assert all(measurement.is_stopped for measurement in measurements)


def test_a_full_queue_gets_one_sentence() -> None:
    st.cache_resource.clear()
    places = [heavy.queue().enter(MEASURING) for _ in range(1 + MEASURING.most_waiting)]
    app = open_page(PAGE)
    app.button(key="measure-layers").click()
    (warning,) = run(app).warning
    assert f"{MEASURING.most_waiting} visitors are waiting already" in warning.value
    for place in places:
        place.leave()


@pytest.mark.usefixtures("no_temporary_folder")
def test_a_measurement_needs_no_temporary_folder() -> None:
    measurement = begun(MAX_SIZES, "n")
    wait_for_a_layer(measurement)
    measurement.stop()
    assert measurement.read().layers
