"""Horizontal bars: a row of one part has its number, and parts that follow each other have a legend."""

import numpy as np

from viz.figures.horizontal import horizontal


def test_bars_of_one_part_are_written_out_and_several_get_a_legend() -> None:
    one = horizontal(["a", "b"], {"x": np.array([1.0, 2.0])}, x_name="x")
    assert one.data[0].textposition == "outside"
    assert not one.layout.showlegend
    two = horizontal(["a"], {"x": np.array([1.0]), "y": np.array([2.0])}, x_name="x")
    assert two.layout.showlegend
    assert two.data[0].textposition == "none"


def test_rows_of_different_parts_keep_their_numbers_and_draw_nothing_where_there_is_nothing() -> None:
    parts = {"x": np.array([1.0, 0.0]), "y": np.array([0.0, 2.0])}
    first, second = horizontal(["a", "b"], parts, x_name="x").data
    assert first.textposition == second.textposition == "outside"
    np.testing.assert_array_equal(first.x, [1, np.nan])
    np.testing.assert_array_equal(second.x, [np.nan, 2])


def test_a_part_of_nothing_leaves_the_others_of_its_row_side_by_side() -> None:
    parts = {"x": np.array([1.0, 1.0]), "y": np.array([0.0, 2.0]), "z": np.array([3.0, 3.0])}
    figure = horizontal(["a", "b"], parts, x_name="x")
    assert figure.layout.barmode == "relative"
    # After a value that is not a number, Plotly begins at 0 again, over the parts before it.
    assert all(np.isfinite(trace.x).all() for trace in figure.data)
