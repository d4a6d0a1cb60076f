"""The grid of the lens."""

import numpy as np

from viz.figures.lens_grid import lens_grid


def test_no_text_is_markup_and_what_is_written_is_bold() -> None:
    figure = lens_grid(
        np.array([[0.25, 0.5]], np.float32),
        [["<i>abcdef", "b"]],
        [["<b>x\ny", "z"]],
        is_marked=np.array([[False, True]]),
        steps=["<s>"],
        columns=["Input", "Layer 1"],
        column_width=90,
    )
    trace, tokens, probabilities = figure.data
    assert list(tokens.text) == ["&lt;i&gt;abcdef", "<b>b</b>"]
    assert trace.showscale is not False
    # A number stands where its token leaves room.
    assert list(probabilities.text) == ["50%"]
    assert trace.customdata[0][0] == "&lt;b&gt;x<br>y"
    assert list(figure.layout.yaxis.ticktext) == ["&lt;s&gt;"]
    assert trace.z.dtype == np.float32
