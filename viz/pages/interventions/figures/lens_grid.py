"""The logit lens as a grid: a row a step, a column a residual, in each cell the token that is most probable there.

A cell is as deep as the token that is written in the end is probable there.
"""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.colours import Theme, sequential
from viz.figures.base import bare_axis, canvas, label_pixels, labels_of
from viz.pages.interventions.figures.cells import hover_lines

_ROW, _HEAD = 25, 26
# Twice the largest probability: the deepest cell stays pale enough for letters in the page's ink.
_SCALE_END = 2.0


def lens_grid(
    probabilities: Float32[np.ndarray, "step column"],
    tokens: Sequence[Sequence[str]],
    hovers: Sequence[Sequence[str]],
    *,
    is_marked: np.ndarray,
    steps: Sequence[str],
    columns: Sequence[str],
    theme: Theme,
) -> go.Figure:
    """Return the grid.

    Args:
        probabilities: of the token that is written in the end.
        tokens: the most probable one, any text.
        hovers: what is told where the pointer is, any text.
        is_marked: [step, column], whether the token stands in bold.
        steps: a label for each row, any text; also twice the same.
        columns: a label for each column.
        theme: light or dark.
    """
    cells = [
        [f"<b>{text}</b>" if marked else text for text, marked in zip(labels_of(row), marks, strict=True)]
        for row, marks in zip(tokens, is_marked.tolist(), strict=True)
    ]
    n_steps, n_columns = probabilities.shape
    figure = canvas(
        theme,
        width=None,
        height=_HEAD + _ROW * n_steps,
        margin={"l": label_pixels(steps), "t": _HEAD},
        xaxis=bare_axis(labels_of(columns), np.arange(n_columns), side="top"),
        yaxis=bare_axis(labels_of(steps), np.arange(n_steps), autorange="reversed"),
    )
    figure.add_heatmap(
        z=probabilities,
        text=cells,
        texttemplate="%{text}",
        textfont={"color": figure.layout.font.color, "size": 13},
        customdata=[[hover_lines(text) for text in row] for row in hovers],
        hovertemplate="%{customdata}<extra></extra>",
        colorscale=sequential(theme),
        zmin=0,
        zmax=_SCALE_END,
        showscale=False,
        xgap=2,
        ygap=2,
    )
    return figure
