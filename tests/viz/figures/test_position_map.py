import json

import numpy as np
import pytest

from viz.base.colours import DIVERGING
from viz.figures.position_map import largest, position_map

VALUES = np.array([[0.5, np.nan, 0], [-2.5, 1, 0]], np.float32)
WORDS = {"row_name": "query", "column_name": "key", "hover": "query {row}, key {column}: {value}"}


def draw(values=VALUES, **more):
    return position_map(values, **WORDS | more)


def test_values_are_carried_as_they_are_and_zero_is_the_middle_of_the_scale() -> None:
    (heatmap,) = draw().data
    np.testing.assert_array_equal(heatmap.z, VALUES)
    assert heatmap.z.dtype == np.float32
    assert (heatmap.zmin, heatmap.zmax) == (-2.5, 2.5)
    assert [list(stop) for stop in heatmap.colorscale] == [list(stop) for stop in DIVERGING]


def test_values_travel_as_bytes() -> None:
    (heatmap,) = json.loads(draw().to_json())["data"]
    assert heatmap["z"]["dtype"] == "f4"


@pytest.mark.parametrize(
    ("deepest", "outer"), [(2.5, 2), (15.75, 10), (1, 1), (0.226, 0.2), (0.3, 0.3), (7e-5, 7e-5), (63.75, 60)]
)
def test_the_scale_is_read_at_round_numbers_inside_it(deepest: float, outer: float) -> None:
    ticks = draw(np.array([[deepest, 0]], np.float32)).data[0].colorbar.tickvals
    assert list(ticks) == pytest.approx([-outer, 0, outer])


@pytest.mark.parametrize("empty", [np.zeros((2, 2), np.float32), np.full((2, 2), np.nan, np.float32)])
def test_a_map_of_nothing_can_be_drawn(empty: np.ndarray) -> None:
    heatmap = draw(empty).data[0]
    assert (heatmap.zmin, heatmap.zmax) == (-1, 1)


def test_what_lies_beyond_training_is_marked_on_both_axes_of_a_square_map() -> None:
    square = np.zeros((4, 4), np.float32)
    places = {(line.x0, line.y0) for line in draw(square, trained=3, is_square=True).layout.shapes}
    assert places == {(0, 2.5), (2.5, 0)}
    assert [line.y0 for line in draw(square, trained=3).layout.shapes] == [2.5]
    assert not draw(square, trained=4, is_square=True).layout.shapes


def test_the_first_row_is_on_top_and_hover_names_the_cell() -> None:
    figure = draw()
    low, high = figure.layout.yaxis.range
    assert low > high
    assert figure.data[0].hovertemplate == "query %{y}, key %{x}: %{z:.3f}<extra></extra>"


def test_names_are_text() -> None:
    assert draw(row_name="<b>q</b>").layout.yaxis.title.text == "&lt;b&gt;q&lt;/b&gt;"


def test_maps_can_share_a_scale() -> None:
    small, large = np.array([[0.5, np.nan]], np.float32), np.array([[-4.0]], np.float32)
    assert largest([small, large]) == 4
    assert largest([np.full((1, 1), np.nan)]) == largest([]) == 1
    assert draw(small, deepest=4.0).data[0].zmax == 4
