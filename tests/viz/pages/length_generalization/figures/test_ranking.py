import numpy as np

from viz.base.colours import OKABE_ITO
from viz.pages.length_generalization.figures.ranking import ranking

NAMES = ["<b>first</b>", "second", "third"]


def draw(theirs: dict[str, float] | None = None, **given):
    return ranking(
        NAMES,
        [0.9, 0.5, 0.1],
        colours=OKABE_ITO[:3],
        x_name="rank",
        legend=("<i>here", "there"),
        theirs=theirs,
        **given,
    )


def bars(figure):
    return next(trace for trace in figure.data if trace.type == "bar" and trace.x[0] is not None)


def test_every_name_has_its_bar_in_its_colour_and_its_number() -> None:
    figure = draw()
    np.testing.assert_allclose(bars(figure).x, [0.9, 0.5, 0.1], rtol=1e-6)
    assert bars(figure).marker.color == OKABE_ITO[:3]
    assert scatter(figure, "text").text == ("0.90", "0.50", "0.10")


def test_numbers_end_at_the_edge_however_narrow_the_picture() -> None:
    figure = draw()
    numbers = scatter(figure, "text")
    assert (max(numbers.x), numbers.textposition) == (figure.layout.xaxis.range[1], "middle left")


def test_the_first_name_stands_on_top() -> None:
    bottom, top = draw().layout.yaxis.range
    assert abs(top - bars(draw()).y[0]) < abs(bottom - bars(draw()).y[0])


def scatter(figure, mode: str):
    return next(trace for trace in figure.data if trace.type == "scatter" and trace.mode == mode)


def test_what_others_found_is_marked_in_the_row_of_its_name() -> None:
    marks = scatter(draw(theirs={"third": 0.7, "unknown": 1.0}), "markers")
    assert (list(marks.y), marks.name) == ([2], "there")
    np.testing.assert_allclose(marks.x, [0.7], rtol=1e-6)


def test_without_marks_there_is_no_legend() -> None:
    assert not draw().layout.showlegend
    assert draw(theirs={"second": 0.5}).layout.showlegend


def test_names_are_text() -> None:
    figure = draw(theirs={NAMES[0]: 0.5})
    assert "<b>" not in "".join(figure.layout.yaxis.ticktext) + "".join(bars(figure).customdata)
    assert not any("<" in (trace.name or "") for trace in figure.data)


def test_an_interval_is_a_line_in_the_row_of_its_name() -> None:
    line = scatter(draw(intervals={"third": (0.05, 0.2), NAMES[0]: (0.8, 1.0)}), "lines")
    assert list(line.x) == [0.8, 1.0, None, 0.05, 0.2, None]
    assert list(line.y) == [0, 0, None, 2, 2, None]
