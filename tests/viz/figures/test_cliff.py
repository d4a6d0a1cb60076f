import numpy as np

from viz.base.colours import Theme, line_look
from viz.figures.base import in_theme
from viz.figures.cliff import Seeds, cliff, grey_look

TWO = Seeds((5, 20, 40), np.array([[1.0, 1.0, 0.5], [1.0, 0.5, np.nan]]), 0)
ONE = Seeds((5, 20), np.array([[1.0, 0.0]]), 6)


def draw():
    encodings = {"<b>two</b>": TWO, "one": ONE}
    return cliff(encodings, longest_trained=20, x_name="<i>x</i>", y_name="y", marked="<u>")


def test_the_line_is_the_mean_of_the_seeds_measured() -> None:
    named = [trace for trace in draw().data if trace.name]
    np.testing.assert_allclose(named[0].y, [1, 0.75, 0.5])
    np.testing.assert_allclose(named[1].y, [1, 0])


def test_the_band_runs_from_the_best_seed_to_the_worst_and_one_seed_has_none() -> None:
    (band,) = [trace for trace in draw().data if trace.fill]
    np.testing.assert_allclose(band.y, [1, 1, 0.5, 0.5, 0.5, 1])


def test_two_encodings_of_one_colour_differ_in_their_dashes() -> None:
    first, second = [trace.line for trace in draw().data if trace.name]
    assert first.color == second.color == line_look(0).colour
    assert first.dash != second.dash


def test_the_end_of_training_is_marked_and_names_are_text() -> None:
    layout = draw().layout
    assert layout.shapes[0].x0 == layout.annotations[0].x == 20
    assert layout.annotations[0].text == "&lt;u&gt;"
    assert layout.xaxis.title.text == "&lt;i&gt;x&lt;/i&gt;"
    assert next(trace.name for trace in draw().data if trace.name) == "&lt;b&gt;two&lt;/b&gt;"


def test_a_level_is_drawn_under_its_name() -> None:
    figure = cliff({"one": ONE}, longest_trained=None, x_name="x", y_name="y", marked="", level=("<b>", 0.25))
    (shape,), (name,) = figure.layout.shapes, figure.layout.annotations
    assert shape.y0 == shape.y1 == name.y == 0.25
    assert name.text == "&lt;b&gt;"


def test_quiet_encodings_are_grey_lines_of_one_entry_in_the_legend_that_switches_them() -> None:
    figure = cliff(
        {"two": TWO, "<b>": TWO, "one": ONE},
        quiet={"two", "<b>"},
        others="<i>2 others",
        longest_trained=None,
        x_name="x",
        y_name="y",
        marked="",
    )
    grey = [trace for trace in figure.data if trace.mode == "lines" and trace.line.color == grey_look().colour]
    *lines, entry = grey
    # The pointer tells each by its own name.
    assert [line.name for line in lines] == ["two", "&lt;b&gt;"]
    assert entry.name == "&lt;i&gt;2 others"
    assert {line.legendgroup for line in grey} == {entry.legendgroup}
    assert [trace.name for trace in figure.data if trace.showlegend is not False] == ["one", entry.name]
    assert figure.layout.legend.itemclick == "toggle"
    # Behind: neither points nor a band, and under all others.
    assert list(figure.data[:2]) == lines


def test_without_a_quiet_encoding_the_legend_has_no_entry_for_others() -> None:
    assert [trace.name for trace in draw().data if trace.showlegend is not False] == ["&lt;b&gt;two&lt;/b&gt;", "one"]


def test_a_band_is_seen_on_a_dark_page() -> None:
    def opacities(theme: Theme) -> list[float]:
        colours = [trace.fillcolor for trace in in_theme(draw(), theme).data if trace.fill]
        return [float(colour.strip("rgba()").split(",")[-1]) for colour in colours]

    assert min(opacities("dark")) >= 2 * max(opacities("light"))
