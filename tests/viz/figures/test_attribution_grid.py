"""The picture of direct attribution."""

import numpy as np
import pytest

from viz.figures.attribution_grid import attribution_grid


def test_each_bar_begins_where_the_one_above_ends_and_the_sum_begins_at_0() -> None:
    figure = attribution_grid(
        np.array([[np.nan, np.nan], [1.5, -2.0]]),
        np.array([0.25, -0.5]),
        names=["<b>Token", "Self 1"],
        sums=[("Sum", -0.25)],
        head_hovers=[["", ""], ["<i>\nx", "y"]],
        row_hovers=["a", "b", "<c>"],
        headings=("Heads", "Sum so far"),
    )
    cells, numbers, bars = figure.data
    assert np.isnan(cells.z[0]).all()
    assert cells.z[1].tolist() == [1.5, -2.0]
    assert cells.zmax == -cells.zmin == 2
    assert list(numbers.text) == ["1.5", "−2.0"]
    assert list(bars.base) == pytest.approx([0, 0.25, 0])
    assert list(bars.x) == pytest.approx([0.25, -0.5, -0.25])
    assert cells.customdata[1][0] == "&lt;i&gt;<br>x"
    assert bars.customdata[2] == "&lt;c&gt;"
    assert figure.layout.yaxis.ticktext[0] == "&lt;b&gt;Token"
