"""The figures of the reading path: what is drawn where."""

import numpy as np
import pytest

from viz.pages.start.figures.cells import cells, mosaic


def test_cells_are_drawn_as_they_are_with_their_labels() -> None:
    values = np.array([[0.0, 1.0], [0.5, 0.25]])
    figure = cells(values, hover="{row} {column} {value}", height=200, rows=["<b>", "r"], columns="ab")
    np.testing.assert_array_equal(figure.data[0].z, values)
    assert figure.layout.yaxis.ticktext[0] == "&lt;b&gt;"
    assert figure.layout.coloraxis.cmin == 0
    assert figure.layout.coloraxis.cmax == 1


def test_signed_cells_diverge_from_zero() -> None:
    figure = cells(np.array([[-2.0, 1.0]]), hover="", height=200, x_name="x", y_name="y")
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (-2, 2)
    assert figure.layout.xaxis.title.text == "x"


@pytest.mark.parametrize("n", [1, 3, 8])
def test_a_mosaic_holds_every_map_whole_under_its_title(n: int) -> None:
    maps = {f"map {index}": np.full((5, 4), float(index + 1)) for index in range(n)}
    figure = mosaic(maps, per_row=4, height=300)
    z = figure.data[0].z
    assert [int((z == index + 1).sum()) for index in range(n)] == [20] * n
    assert [note.text for note in figure.layout.annotations] == list(maps)
    assert len(figure.layout.shapes) == n
