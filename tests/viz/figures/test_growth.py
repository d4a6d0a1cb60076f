"""Curves that are one."""

from viz.figures.growth import growth


def dashes(*values: tuple[float, ...]) -> list[str]:
    curves = {str(number): ((1, 2, 4), of_curve) for number, of_curve in enumerate(values)}
    colours = {name: number for number, name in enumerate(curves)}
    figure = growth(curves, colours=colours, x_name="n", y_name="y")
    return [trace.line.dash for trace in figure.data]


def test_of_curves_that_are_one_each_shows_along_an_equal_part_of_the_line() -> None:
    first, second, third = dashes((1, 1, 1), (1, 1, 1), (1, 1, 1))
    assert first == "solid"
    (length, gap), (last, last_gap) = (
        [float(part.removesuffix("px")) for part in dash.split(",")] for dash in (second, third)
    )
    # What the gap of each shows of those before it is as long as what it hides of them in turn.
    assert gap == length - last == last
    assert length + gap == last + last_gap


def test_a_curve_of_its_own_is_solid() -> None:
    assert dashes((1, 2, 3), (1, 2, 4)) == ["solid", "solid"]
