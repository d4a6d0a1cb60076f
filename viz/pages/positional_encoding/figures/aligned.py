"""Matrices of the same rows and columns, one above the other, on one scale."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.colours import PALETTES, Theme, diverging, sequential
from viz.base.tokens import escape_plotly, shorten
from viz.figures.base import CHARACTER_WIDTH, bare_axis, canvas

_LOWEST_ROW, _HIGHEST_ROW = 14, 24
_TALLEST = 560
# Above each matrix: its title, in the place of this many rows.
_TITLE = 1.5
_LABEL_GAP = 12
_COLOUR_BAR = 58
_AXIS_NAME = 40
_NARROWEST_COLUMN = 15


def aligned(
    matrices: Mapping[str, Float32[np.ndarray, "row column"]],
    rows: Sequence[str],
    *,
    theme: Theme,
    hover: str,
    columns: Sequence[str] | None = None,
    column_name: str = "",
) -> go.Figure:
    """Return the matrices under their titles: 0 is the page's own surface, the largest |value| of all the deepest.

    Args:
        matrices: by title, all of one shape; signed values get the diverging scale, others the sequential one.
        rows: a label for each row, any text.
        theme: light or dark.
        hover: what is said of the cell under the pointer, with ``{matrix}``, ``{row}``, ``{column}`` and ``{value}``.
        columns: a label for each column, any text; without them, columns are numbered from 0.
        column_name: what the columns are, written under them where they have no labels.
    """
    left, step = _label_pixels(rows), len(rows) + _TITLE
    bottom = _AXIS_NAME if columns is None else _label_pixels(columns)
    n_rows = step * len(matrices)
    height = round(n_rows * min(max(_TALLEST / n_rows, _LOWEST_ROW), _HIGHEST_ROW)) + bottom
    n_columns = next(iter(matrices.values())).shape[1]
    tops = [index * step + _TITLE for index in range(len(matrices))]
    places = np.array([top + row for top in tops for row in range(len(rows))])
    labels = [escape_plotly(shorten(label)) for _ in matrices for label in rows]
    figure = canvas(
        theme,
        width=None,
        height=height,
        margin={"l": left, "r": _COLOUR_BAR, "t": 0, "b": bottom},
        coloraxis=_colour_axis(matrices, theme),
        xaxis=_column_axis(n_columns, columns, column_name),
        yaxis=bare_axis(labels, places, range=[n_rows - 0.5, -0.5]),
        shapes=[_frame(top, len(rows), n_columns, theme) for top in tops],
        annotations=[_title(title, top) for title, top in zip(matrices, tops, strict=True)],
    )
    for (title, matrix), top in zip(matrices.items(), tops, strict=True):
        said = escape_plotly(hover).format(matrix=escape_plotly(title), row="%{y}", column="%{x}", value="%{z:.3g}")
        cells = np.ascontiguousarray(matrix, dtype=np.float32)
        figure.add_heatmap(z=cells, y0=top, dy=1, coloraxis="coloraxis", hovertemplate=f"{said}<extra></extra>")
    return figure


def narrowest(columns: Sequence[str], rows: Sequence[str]) -> int:
    """Return the width in pixels under which the labels of the columns would overlap."""
    return _label_pixels(rows) + len(columns) * _NARROWEST_COLUMN + _COLOUR_BAR


def _label_pixels(labels: Sequence[str]) -> int:
    return _LABEL_GAP + round(max(len(shorten(label)) for label in labels) * CHARACTER_WIDTH)


def _colour_axis(matrices: Mapping[str, np.ndarray], theme: Theme) -> dict[str, Any]:
    # All zeros have no scale of their own.
    largest = max(float(np.abs(matrix).max()) for matrix in matrices.values()) or 1.0
    is_signed = any(bool((matrix < 0).any()) for matrix in matrices.values())
    ticks = np.array([-largest, 0, largest] if is_signed else [0, largest])
    return {
        "cmin": -largest if is_signed else 0,
        "cmax": largest,
        "colorscale": diverging(theme) if is_signed else sequential(theme),
        "colorbar": {
            "thickness": 8,
            "len": 1,
            "x": 1,
            "xpad": 12,
            "ypad": 14,
            "outlinewidth": 0.5,
            "outlinecolor": PALETTES[theme].muted,
            "tickvals": ticks,
            "ticktext": [f"{tick:.2g}".replace("-", "−") for tick in ticks],
            "tickfont": {"color": PALETTES[theme].muted, "size": 11},
        },
    }


def _frame(top: float, n_rows: int, n_columns: int, theme: Theme) -> dict[str, Any]:
    corners = {"x0": -0.5, "x1": n_columns - 0.5, "y0": top - 0.5, "y1": top + n_rows - 0.5}
    return {"type": "rect", "line": {"width": 1, "color": PALETTES[theme].line}, **corners}


def _title(title: str, top: float) -> dict[str, Any]:
    place = {"x": 0, "xref": "paper", "xanchor": "left", "y": top - 0.5, "yanchor": "bottom"}
    return {"text": escape_plotly(title), "showarrow": False, **place}


def _column_axis(n_columns: int, columns: Sequence[str] | None, name: str) -> dict[str, Any]:
    span = [-0.5, n_columns - 0.5]
    if columns is not None:
        labels = [escape_plotly(shorten(label)) for label in columns]
        return bare_axis(labels, np.arange(n_columns), range=span, tickangle=-90)
    title = {"text": escape_plotly(name), "standoff": 4}
    return bare_axis([], None, range=span, title=title) | {"tickmode": "auto", "nticks": 9}
