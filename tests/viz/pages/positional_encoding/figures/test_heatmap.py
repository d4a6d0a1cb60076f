import json

import numpy as np
import pytest

from viz.pages.positional_encoding.figures.heatmap import cell_pixels, heatmap

WEIGHTS = np.random.default_rng(0).random((3, 4)).astype(np.float32)
QUERIES, KEYS = ("I", "am", "here"), ("ich", "bin", "da", "⟨end⟩")


def test_the_figure_carries_exactly_the_given_values() -> None:
    trace = heatmap(WEIGHTS, QUERIES, KEYS).data[0]
    assert isinstance(trace.z, np.ndarray)
    assert trace.z.dtype == np.float32
    np.testing.assert_array_equal(trace.z, WEIGHTS)
    assert (trace.zmin, trace.zmax) == (0, 1)


def test_the_values_travel_as_bytes() -> None:
    sent = json.loads(heatmap(WEIGHTS, QUERIES, KEYS).to_json())["data"][0]["z"]
    assert sent["dtype"] == "f4"
    assert "bdata" in sent


def test_rows_run_from_top_to_bottom_under_the_key_labels() -> None:
    layout = heatmap(WEIGHTS, QUERIES, KEYS).layout
    assert layout.xaxis.side == "top"
    assert tuple(layout.xaxis.ticktext) == KEYS
    assert tuple(layout.yaxis.ticktext) == QUERIES
    top, bottom = layout.yaxis.range[1], layout.yaxis.range[0]
    assert top < 0 < bottom


@pytest.mark.parametrize("label", ["</script><script>alert(1)</script>", "<b>fett</b>", "&", "&lt;"])
def test_labels_are_text(label: str) -> None:
    layout = heatmap(np.ones((1, 1), np.float32), [label[:14]], [label[:14]]).layout
    shown = label[:14].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert layout.xaxis.ticktext == layout.yaxis.ticktext == (shown,)


def test_cells_are_square() -> None:
    figure = heatmap(WEIGHTS, QUERIES, KEYS)
    margin = figure.layout.margin
    width, height = figure.layout.width - margin.l - margin.r, figure.layout.height - margin.t - margin.b
    assert width / len(KEYS) == height / len(QUERIES)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (12, 15), (256, 256), (306, 2)])
def test_cells_stay_readable(rows: int, columns: int) -> None:
    assert 15 <= cell_pixels(rows, columns, 700) <= 36
