"""The map of weights between tokens."""

import numpy as np
import pytest

from viz.figures.token_map import token_map

# Plotly hides a label that does not fit into the figure: so many pixels on either side of its middle.
HALF_A_LABEL = 12


@pytest.mark.parametrize("row_height", [10, 13, 22, 40])
def test_the_last_row_s_label_has_room_in_the_figure(row_height: int) -> None:
    names = ["The", "dog", "\N{MATHEMATICAL LEFT ANGLE BRACKET}end\N{MATHEMATICAL RIGHT ANGLE BRACKET}"]
    figure = token_map(np.full((3, 3), 0.1), rows=names, columns=names, hover="{weight}", row_height=row_height)
    margin, height = figure.layout.margin, figure.layout.height
    of_a_row = (height - margin.t - margin.b) / len(names)
    assert of_a_row / 2 + margin.b >= HALF_A_LABEL
    assert of_a_row >= row_height - 1
