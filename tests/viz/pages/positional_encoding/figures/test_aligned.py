import json

import numpy as np

from viz.base.colours import DIVERGING, SEQUENTIAL
from viz.pages.positional_encoding.figures.aligned import aligned, narrowest

ROWS = ("I", "<b>love</b>", "I")
SIGNED = {"a": np.array([[1, -2], [0, 0.5], [0, 0]], np.float32), "b": np.array([[0, 0], [3, 0], [0, 1]], np.float32)}
HOVER = "{matrix}: {row}, {column}: {value}"


def draw(matrices=SIGNED, **more):
    return aligned(matrices, ROWS, **{"hover": HOVER} | more)


def test_the_matrices_are_carried_as_they_are_on_one_scale() -> None:
    figure = draw()
    for trace, matrix in zip(figure.data, SIGNED.values(), strict=True):
        assert trace.z.dtype == np.float32
        np.testing.assert_array_equal(trace.z, matrix)
        assert trace.coloraxis == "coloraxis"
    scale = figure.layout.coloraxis
    assert (scale.cmin, scale.cmax) == (-3, 3)
    assert [list(stop) for stop in scale.colorscale] == [list(stop) for stop in DIVERGING]


def test_the_values_travel_as_bytes() -> None:
    assert all("bdata" in trace["z"] for trace in json.loads(draw().to_json())["data"])


def test_what_has_no_sign_begins_at_zero() -> None:
    scale = draw({"a": np.abs(SIGNED["a"])}).layout.coloraxis
    assert (scale.cmin, scale.cmax) == (0, 2)
    assert [list(stop) for stop in scale.colorscale] == [list(stop) for stop in SEQUENTIAL]


def test_zeros_alone_can_be_drawn() -> None:
    scale = draw({"a": np.zeros((3, 2), np.float32)}).layout.coloraxis
    assert (scale.cmin, scale.cmax) == (0, 1)


def test_every_row_has_its_label_where_it_is_drawn_and_no_two_matrices_touch() -> None:
    figure = draw()
    drawn = [trace.y0 + row for trace in figure.data for row in range(len(ROWS))]
    assert list(figure.layout.yaxis.tickvals) == drawn
    assert figure.layout.yaxis.ticktext == ("I", "&lt;b&gt;love&lt;/b&gt;", "I") * 2
    assert figure.data[1].y0 - figure.data[0].y0 > len(ROWS)


def test_columns_have_their_labels_if_there_are_any() -> None:
    assert draw(columns=["<", "x"]).layout.xaxis.ticktext == ("&lt;", "x")
    assert draw(column_name="dimension").layout.xaxis.title.text == "dimension"


def test_a_narrow_screen_leaves_room_for_every_column() -> None:
    assert narrowest(["x"] * 24, ROWS) - narrowest(["x"], ROWS) >= 23 * 12
