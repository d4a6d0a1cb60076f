import numpy as np
import pytest

from viz.base.colours import OKABE_ITO
from viz.figures.spread import spread

X = [0, 1, 2]
BAND = np.array([[-1, -2, -3], [0, 0, 0.5], [1, 2, 3]], float)


def draw(curves=None, **more):
    return spread(X, curves or {"a": BAND}, **{"x_name": "distance", "y_name": "score"} | more)


def test_a_line_runs_through_the_middle_of_a_band_from_low_to_high() -> None:
    low, high, line = draw().data
    np.testing.assert_array_equal(low.y, BAND[0])
    np.testing.assert_array_equal(high.y, BAND[2])
    np.testing.assert_array_equal(line.y, BAND[1])
    assert high.fill == "tonexty"
    assert line.line.width > 0


def test_curves_have_the_fixed_order_of_colours_or_those_they_are_given() -> None:
    def colours(**more):
        return [trace.line.color for trace in draw({"a": BAND, "b": BAND}, **more).data if trace.line.color]

    assert colours() == list(OKABE_ITO[:2])
    assert colours(colours={"a": OKABE_ITO[4], "b": OKABE_ITO[2]}) == [OKABE_ITO[4], OKABE_ITO[2]]


def test_one_curve_needs_no_legend() -> None:
    assert not draw().layout.showlegend
    assert draw({"a": BAND, "b": BAND}).layout.showlegend


@pytest.mark.parametrize(("is_logarithmic", "kind"), [(True, "log"), (False, None)])
def test_axes_are_of_the_kind_asked_for(is_logarithmic: bool, kind: str | None) -> None:
    layout = draw(logarithmic_x=is_logarithmic, logarithmic_y=is_logarithmic).layout
    assert (layout.xaxis.type, layout.yaxis.type) == (kind, kind)


def test_a_place_is_marked_and_theory_is_dotted_in_its_curve_s_colour() -> None:
    figure = draw(here=1.5, expected={"a": BAND[1]}, logarithmic_x=False)
    assert [line.x0 for line in figure.layout.shapes] == [1.5]
    assert figure.data[-1].mode == "markers"
    assert figure.data[-1].marker.color == OKABE_ITO[0]


def test_names_are_text() -> None:
    figure = draw({"<i>a</i>": BAND}, x_name="<b>")
    assert figure.data[-1].name == "&lt;i&gt;a&lt;/i&gt;"
    assert figure.layout.xaxis.title.text == "&lt;b&gt;"
