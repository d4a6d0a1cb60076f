"""The logit lens as a grid: a row for each step, a column for each residual, with its top token.

A cell is as deep as the token that is written in the end is probable there; where there is room, it has the number.
"""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.colours import SEQUENTIAL
from viz.base.tokens import shorten
from viz.figures.base import bare_axis, canvas, colour_bar, label_pixels, labels_of, text_pixels
from viz.figures.cell_letters import cell_letters
from viz.figures.cells import hover_lines

_ROW, _HEAD = 25, 26
# Of the legend under the picture.
_FOOT = 44
# Pixels of a probability at the right edge of its cell, with a gap, and of what is free left of a token.
_PERCENT, _LEFT = 38, 6
# Smaller ones would be written as zero.
_LEAST_WRITTEN = 0.005

_BELOW = {"orientation": "h", "x": 0, "xanchor": "left", "xpad": 12, "y": 0, "yanchor": "top", "ypad": 10, "len": 0.4}


def lens_grid(
    probabilities: Float32[np.ndarray, "step column"],
    tokens: Sequence[Sequence[str]],
    hovers: Sequence[Sequence[str]],
    *,
    is_marked: np.ndarray,
    steps: Sequence[str],
    columns: Sequence[str],
    column_width: int,
) -> go.Figure:
    """Return the grid.

    Args:
        probabilities: of the token that is written in the end.
        tokens: the most probable one, any text.
        hovers: the tooltip of each cell, any text.
        is_marked: [step, column], whether the token stands in bold.
        steps: a label for each row, any text; also twice the same.
        columns: a label for each column.
        column_width: that of a column in pixels, on a screen that is not a phone.
    """
    cells = [
        [f"<b>{text}</b>" if marked else text for text, marked in zip(labels_of(row), marks, strict=True)]
        for row, marks in zip(tokens, is_marked.tolist(), strict=True)
    ]
    n_steps, n_columns = probabilities.shape
    figure = canvas(
        width=None,
        height=_HEAD + _ROW * n_steps + _FOOT,
        margin={"l": label_pixels(steps), "t": _HEAD, "b": _FOOT},
        xaxis=bare_axis(labels_of(columns), np.arange(n_columns), side="top", range=[-0.5, n_columns - 0.5]),
        yaxis=bare_axis(labels_of(steps), np.arange(n_steps), range=[n_steps - 0.5, -0.5]),
    )
    figure.add_heatmap(
        z=probabilities,
        customdata=[[hover_lines(text) for text in row] for row in hovers],
        hovertemplate="%{customdata}<extra></extra>",
        colorscale=SEQUENTIAL,
        zmin=0,
        zmax=1,
        colorbar=colour_bar([0, 0.5, 1], tickformat=".0%", **_BELOW),
        xgap=2,
        ygap=2,
    )
    at_rows, at_columns = (places.ravel() for places in np.indices(probabilities.shape))
    letters = [text for row in cells for text in row]
    depths = probabilities.ravel().tolist()
    # At the left: a centred token would leave room for a number only beside the shortest words.
    figure.add_trace(
        cell_letters(
            letters,
            depths,
            columns=at_columns - 0.5 + _LEFT / column_width,
            rows=at_rows,
            textposition="middle right",
        )
    )
    room = [column_width - _PERCENT - _LEFT >= text_pixels(shorten(text)) for row in tokens for text in row]
    is_written = np.array(room) & (probabilities.ravel() >= _LEAST_WRITTEN)
    # The last trace: on a phone there is no room for it.
    figure.add_trace(
        cell_letters(
            [f"{value:.0%}" for value in probabilities.ravel()[is_written].tolist()],
            probabilities.ravel()[is_written].tolist(),
            columns=at_columns[is_written] + 0.5 - 4 / column_width,
            rows=at_rows[is_written],
            textposition="middle left",
        )
    )
    return figure
