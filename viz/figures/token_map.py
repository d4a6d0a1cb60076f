"""Weights between tokens: a row and a column for each token, labelled, as dark as the weight."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import SEQUENTIAL
from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, label_pixels, labels_of, upright_axis, upright_pixels

# Pixels from the middle of a label to where Plotly takes it to end.
_HALF_LABEL = 13


def token_map(
    weights: Float[np.ndarray, "row column"],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    hover: str,
    row_height: int,
    title_height: int = 0,
    deepest: float = 1.0,
    **layout: Any,
) -> go.Figure:
    """Return the map.

    Args:
        weights: 0 or more.
        rows: a label for each row, any text; also twice the same.
        columns: a label for each column, any text.
        hover: the tooltip of a cell, with the fields ``row``, ``column`` and ``weight``.
        row_height: in pixels.
        title_height: what stands over the labels of the columns takes so many pixels.
        deepest: the weight that has the deepest colour.
        layout: more of it.
    """
    head = title_height + upright_pixels(columns)
    # Plotly leaves out the last label where it ends below the figure.
    below = max(2, _HALF_LABEL - row_height // 2)
    figure = canvas(
        width=None,
        height=head + row_height * len(rows) + below - 2,
        margin={"l": label_pixels(rows), "t": head, "r": 2, "b": below},
        xaxis=upright_axis(columns, np.arange(len(columns)), side="top"),
        yaxis=bare_axis(labels_of(rows), np.arange(len(rows)), range=[len(rows) - 0.5, -0.5]),
        **layout,
    )
    figure.add_heatmap(
        z=weights,
        customdata=[
            [
                escape_plotly(hover.format(row=row, column=column, weight=f"{weight:.2f}"))
                for column, weight in zip(columns, of_row, strict=True)
            ]
            for row, of_row in zip(rows, weights.tolist(), strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
        colorscale=SEQUENTIAL,
        zmin=0,
        zmax=deepest,
        showscale=False,
        xgap=1,
        ygap=1,
    )
    return figure
