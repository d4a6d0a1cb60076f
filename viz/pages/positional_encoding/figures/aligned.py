"""Matrices of the same rows and columns, one above the other, on one scale."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, colour_axis, frame, label_pixels, labels_of

_MIN_ROW, _MAX_ROW = 14, 20
_MAX_HEIGHT = 460
# Above each matrix: its title, in the place of this many rows.
_TITLE = 1.5
_COLOUR_BAR = 58
_AXIS_NAME = 40
_MIN_COLUMN = 15


def aligned(
    matrices: Mapping[str, Float32[np.ndarray, "row column"]],
    rows: Sequence[str],
    *,
    hover: str,
    columns: Sequence[str] | None = None,
    column_name: str = "",
) -> go.Figure:
    """Return the matrices under their titles, the largest |value| of all the deepest.

    0 is the page's own surface.

    Args:
        matrices: by title, all of one shape; signed values get the diverging scale, others the sequential one.
        rows: a label for each row, any text.
        hover: the text about the cell under the pointer, with ``{matrix}``, ``{row}``, ``{column}`` and ``{value}``.
        columns: a label for each column, any text; without them, columns are numbered from 0.
        column_name: what the columns are, written under them where they have no labels.
    """
    left, step = label_pixels(rows), len(rows) + _TITLE
    bottom = _AXIS_NAME if columns is None else label_pixels(columns)
    n_rows = step * len(matrices)
    height = round(n_rows * min(max(_MAX_HEIGHT / n_rows, _MIN_ROW), _MAX_ROW)) + bottom
    n_columns = next(iter(matrices.values())).shape[1]
    tops = [index * step + _TITLE for index in range(len(matrices))]
    places = np.array([top + row for top in tops for row in range(len(rows))])
    labels = labels_of(rows) * len(matrices)
    figure = canvas(
        width=None,
        height=height,
        margin={"l": left, "r": _COLOUR_BAR, "t": 0, "b": bottom},
        coloraxis=colour_axis(np.stack([*matrices.values()]), ypad=14),
        xaxis=_column_axis(n_columns, columns, column_name),
        yaxis=bare_axis(labels, places, range=[n_rows - 0.5, -0.5]),
        shapes=[frame(x0=-0.5, x1=n_columns - 0.5, y0=top - 0.5, y1=top + len(rows) - 0.5) for top in tops],
        annotations=[_title(title, top) for title, top in zip(matrices, tops, strict=True)],
    )
    for (title, matrix), top in zip(matrices.items(), tops, strict=True):
        text = escape_plotly(hover).format(matrix=escape_plotly(title), row="%{y}", column="%{x}", value="%{z:.3g}")
        cells = np.ascontiguousarray(matrix, dtype=np.float32)
        figure.add_heatmap(z=cells, y0=top, dy=1, coloraxis="coloraxis", hovertemplate=f"{text}<extra></extra>")
    return figure


def narrowest(columns: Sequence[str], rows: Sequence[str]) -> int:
    """Return the width in pixels under which the labels of the columns would overlap."""
    return label_pixels(rows) + len(columns) * _MIN_COLUMN + _COLOUR_BAR


def _title(title: str, top: float) -> dict[str, Any]:
    place = {"x": 0, "xref": "paper", "xanchor": "left", "y": top - 0.5, "yanchor": "bottom"}
    return {"text": escape_plotly(title), "showarrow": False, **place}


def _column_axis(n_columns: int, columns: Sequence[str] | None, name: str) -> dict[str, Any]:
    span = [-0.5, n_columns - 0.5]
    if columns is not None:
        return bare_axis(labels_of(columns), np.arange(n_columns), range=span, tickangle=-90)
    title = {"text": escape_plotly(name), "standoff": 4}
    return bare_axis([], None, range=span, title=title) | {"tickmode": "auto", "nticks": 9}
