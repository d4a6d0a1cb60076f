import numpy as np

from viz.pages.length_generalization.figures.against_length import LengthAxes
from viz.pages.length_generalization.figures.snapshots import snapshots

VALUES = np.array([[[1.0, 0.5, 0.0], [1.0, 1.0, 0.5]], [[1.0, 0.0, np.nan], [1.0, 1.0, np.nan]]])


def draw():
    return snapshots(
        (10, 20, 40), ["<b>early</b>", "late"], VALUES, axes=LengthAxes(20, x_name="x", y_name="y", marked="<u>")
    )


def lines(figure):
    return [trace for trace in figure.data if trace.mode == "lines"]


def test_a_snapshot_is_a_line_through_the_means_of_the_seeds_measured() -> None:
    early, late = lines(draw())
    np.testing.assert_allclose(early.y, [1, 0.25, 0])
    np.testing.assert_allclose(late.y, [1, 1, 0.5])


def test_every_seed_is_a_point_that_goes_with_its_line() -> None:
    points = [trace for trace in draw().data if trace.mode == "markers"]
    assert [trace.legendgroup for trace in points] == [trace.legendgroup for trace in lines(draw())]
    np.testing.assert_allclose(points[0].x, [10, 20, 40, 10, 20, 40])
    np.testing.assert_allclose(points[0].y, [1, 0.5, 0, 1, 0, np.nan])


def test_snapshots_differ_in_their_dashes_too_and_the_last_is_solid() -> None:
    early, late = lines(draw())
    assert late.line.dash == "solid" != early.line.dash


def test_the_end_of_training_is_marked_and_names_are_text() -> None:
    figure = draw()
    assert figure.layout.shapes[0].x0 == figure.layout.annotations[0].x == 20
    assert "<" not in figure.layout.annotations[0].text + lines(figure)[0].name
