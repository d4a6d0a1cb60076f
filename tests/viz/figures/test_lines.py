import numpy as np
import pytest

from viz.base.colours import OKABE_ITO
from viz.figures.lines import lines

X = np.array([1.0, 10.0, 100.0])
CURVES = {"one": np.array([0.5, 0.25, np.nan]), "<b>two</b>": np.array([1.0, 2.0, 3.0])}


def draw(**more):
    return lines(X, CURVES, **{"x_name": "k", "y_name": "<i>d</i>"} | more)


def test_each_curve_carries_its_values_in_the_palette_s_order() -> None:
    figure = draw()
    for trace, values, colour in zip(figure.data, CURVES.values(), OKABE_ITO, strict=False):
        np.testing.assert_array_equal(trace.y, values.astype(np.float32))
        np.testing.assert_array_equal(trace.x, X)
        assert trace.line.color == colour


def test_names_are_text() -> None:
    figure = draw(marks={"<u>": 10.0})
    assert figure.data[1].name == "&lt;b&gt;two&lt;/b&gt;"
    assert figure.layout.title.text == "&lt;i&gt;d&lt;/i&gt;"
    assert figure.layout.annotations[0].text == "&lt;u&gt;"


def test_the_legend_is_placed_by_the_figure_and_not_by_the_picture_which_it_pushes_down() -> None:
    legend = draw().layout.legend
    assert (legend.yref, legend.yanchor, legend.y) == ("container", "top", 1)
    assert legend.title.side == "top"


def test_a_linear_axis_shows_where_nothing_is() -> None:
    assert draw().layout.yaxis.rangemode == "tozero"


@pytest.mark.parametrize(("is_logarithmic", "place"), [(False, 100.0), (True, 2.0)])
def test_a_mark_and_its_name_stand_at_the_same_place(is_logarithmic: bool, place: float) -> None:
    layout = draw(marks={"here": 100.0}, logarithmic_x=is_logarithmic).layout
    assert layout.shapes[0].x0 == layout.shapes[0].x1 == 100
    assert layout.annotations[0].x == place


def test_one_curve_needs_no_legend() -> None:
    assert draw().layout.showlegend
    assert not lines(X, {"one": X}, x_name="k", y_name="d").layout.showlegend


def test_few_things_that_are_counted_have_whole_ticks() -> None:
    few, many, shares = np.arange(1.0, 3.0), np.arange(1.0, 40.0), np.linspace(0, 1, 39)
    counted = lines(few, {"right": np.array([3.0, 7.0])}, x_name="token", y_name="right").layout
    assert (counted.xaxis.dtick, counted.yaxis.dtick) == (1, 1)
    shared = lines(many, {"right": shares}, x_name="token", y_name="share").layout
    assert (shared.xaxis.dtick, shared.yaxis.dtick) == (None, None)
