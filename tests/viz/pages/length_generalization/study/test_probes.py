"""Where R² rises, and how layers are drawn."""

import numpy as np
import pytest

from viz.base.colours import PALETTES, Theme
from viz.pages.length_generalization.figures.layers import LayerLine, layers
from viz.pages.length_generalization.study.probes import Rise, largest_rise


def test_the_largest_rise_is_of_the_means_over_seeds() -> None:
    assert largest_rise(np.array([[0.0, 0.5, 1.0, 0.75], [0.0, 0.25, 0.5, 0.75]])) == Rise(1, 0.0, 0.375, 0.75, 2)


def test_what_the_input_tells_is_a_rise_from_nothing() -> None:
    rise = largest_rise(np.array([[0.5, 0.75, 0.5]]))
    assert (rise.layer, rise.before, rise.after) == (0, 0.0, 0.5)


@pytest.mark.parametrize("theme", list(PALETTES))
def test_lines_are_means_clipped_to_the_picture_and_told_as_they_are(theme: Theme) -> None:
    line = LayerLine(np.array([[0.5, -6.0], [1.0, -4.0]]), "#123456", "dash")
    figure = layers(["in", "<b>"], {"<i>": line}, theme=theme, x_name="x", y_name="y", lowest=-1.0, highest=1.0)
    points, mean = figure.data
    assert points.y.tolist() == [0.5, -1, 1, -1]
    assert mean.y.tolist() == [0.75, -1]
    assert mean.customdata.tolist() == [0.75, -5]
    assert mean.name == "&lt;i&gt;"
    assert figure.layout.xaxis.ticktext[1] == "&lt;b&gt;"
