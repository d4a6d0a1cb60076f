"""One attention matrix."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.colours import SEQUENTIAL
from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, colour_bar, frame, label_pixels, labels_of, name_above

_MIN_CELL, _MAX_CELL = 15, 30
_MAX_HEIGHT = 352
_COLOUR_BAR = 58
_TITLE = 26


def heatmap(
    weights: Float32[np.ndarray, "query key"],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    width: int = 760,
    hover: str = "{query} looks at {key}: {weight}",
    title: str = "",
) -> go.Figure:
    """Return ``weights`` as a picture: a row per query, a column per key, its label above.

    Cells are square, between a smallest size, which leaves room for every label, and a largest one. Within those they
    fill ``width`` pixels; the figure's own width follows.

    Args:
        weights: attention weights, each from 0 to 1.
        queries: a label for each row, any text.
        keys: a label for each column, any text.
        width: of the place the figure is for, in pixels.
        hover: the text about the cell under the pointer, with ``{query}``, ``{key}`` and ``{weight}``.
        title: above the labels of the columns.
    """
    left, top = label_pixels(queries), label_pixels(keys) + (_TITLE if title else 0)
    cell = cell_pixels(len(queries), len(keys), width - left - _COLOUR_BAR)
    margin = {"l": left, "t": top, "r": _COLOUR_BAR, "b": 4}
    figure = canvas(
        width=left + len(keys) * cell + _COLOUR_BAR,
        height=top + len(queries) * cell + 4,
        margin=margin,
        xaxis=bare_axis(labels_of(keys), np.arange(len(keys)), side="top", tickangle=-90),
        yaxis=bare_axis(labels_of(queries), np.arange(len(queries)), range=[len(queries) - 0.5, -0.5]),
        shapes=[frame(x0=0, x1=1, y0=0, y1=1, xref="paper", yref="paper")],
        **name_above(title, has_legend=False),
    )
    figure.add_trace(
        go.Heatmap(
            z=np.ascontiguousarray(weights, dtype=np.float32),
            zmin=0,
            zmax=1,
            colorscale=SEQUENTIAL,
            hovertemplate=escape_plotly(hover).format(query="%{y}", key="%{x}", weight="%{z:.2f}") + "<extra></extra>",
            colorbar=colour_bar((0, 0.5, 1)),
        )
    )
    return figure


def cell_pixels(n_rows: int, n_columns: int, width: int) -> int:
    """Return the side of a cell: the matrix fills ``width`` pixels.

    It does not outgrow the screen's height.
    """
    return min(max(min(width // n_columns, _MAX_HEIGHT // n_rows), _MIN_CELL), _MAX_CELL)


def narrowest(n_columns: int, queries: Sequence[str]) -> int:
    """Return the width in pixels under which the labels of that many columns would overlap."""
    return label_pixels(queries) + n_columns * _MIN_CELL + _COLOUR_BAR
