"""Matrices as coloured cells: one alone, or several of one size side by side in a single picture."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, colour_axis, frame, label_pixels, labels_of

Cells = Float[np.ndarray, "row column"]

_COLOUR_BAR = 58
_AXIS_NAME = 40
# Between the maps of a mosaic, in cells of the mosaic's height: room for a title.
_TITLE_PIXELS = 22
_GAP_COLUMNS = 1


def cells(
    values: Cells,
    *,
    hover: str,
    height: int,
    x_name: str = "",
    y_name: str = "",
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    deepest: float | None = None,
) -> go.Figure:
    """Return ``values`` as a picture, the first row on top.

    Args:
        values: signed ones get the diverging scale, others the sequential one.
        hover: the text about the cell under the pointer, with ``{row}``, ``{column}`` and ``{value}``.
        height: in pixels.
        x_name: what the columns are, where they have no labels and are numbered from 0.
        y_name: the same of the rows.
        rows: a label for each row, any text.
        columns: a label for each column, any text; they stand above the picture.
        deepest: the |value| that has the deepest colour; the largest one where it is None.
    """
    n_rows, n_columns = values.shape
    left = _AXIS_NAME + 14 if rows is None else label_pixels(rows)
    top, bottom = (4, _AXIS_NAME) if columns is None else (label_pixels(columns), 6)
    figure = canvas(
        width=None,
        height=height,
        margin={"l": left, "r": _COLOUR_BAR, "t": top, "b": bottom},
        coloraxis=colour_axis(values, deepest=deepest, ypad=10),
        xaxis=_axis(n_columns, columns, x_name) | {"range": [-0.5, n_columns - 0.5]} | _above(columns),
        yaxis=_axis(n_rows, rows, y_name) | {"range": [n_rows - 0.5, -0.5]},
        shapes=[frame(x0=0, x1=1, y0=0, y1=1, xref="paper", yref="paper")],
    )
    text = escape_plotly(hover).format(row="%{y}", column="%{x}", value="%{z:.3g}")
    figure.add_heatmap(z=_packed(values), coloraxis="coloraxis", hovertemplate=f"{text}<extra></extra>")
    return figure


def mosaic(maps: Mapping[str, Cells], *, per_row: int, height: int, rows: Sequence[str] = ()) -> go.Figure:
    """Return ``maps``, all of one size, ``per_row`` side by side under their titles, on one scale.

    ``rows`` are labels of their rows, any text: they stand at the left of the first map of each line.
    """
    n_rows, n_columns = next(iter(maps.values())).shape
    n_lines = -(-len(maps) // per_row)
    # A title takes as many rows as make its height in pixels.
    gap = max(1, round(_TITLE_PIXELS * n_lines * n_rows / max(height - _TITLE_PIXELS * n_lines, 1) / n_lines))
    step_down, step_right = n_rows + gap, n_columns + _GAP_COLUMNS
    width = per_row * step_right - _GAP_COLUMNS
    whole = np.full((n_lines * step_down, width), np.nan, dtype=np.float32)
    corners = [(index // per_row * step_down + gap, index % per_row * step_right) for index in range(len(maps))]
    for (top, left), values in zip(corners, maps.values(), strict=True):
        whole[top : top + n_rows, left : left + n_columns] = values
    places = [top + row for top, left in corners if left == 0 for row in range(len(rows))]
    figure = canvas(
        width=None,
        height=height,
        margin={"l": label_pixels(rows) if rows else 2, "r": _COLOUR_BAR, "t": 0, "b": 2},
        coloraxis=colour_axis(whole, ypad=10),
        xaxis=bare_axis([], [], range=[-0.5, width - 0.5]),
        yaxis=bare_axis(labels_of(rows) * n_lines, places, range=[len(whole) - 0.5, -0.5]),
        shapes=[
            frame(x0=left - 0.5, x1=left + n_columns - 0.5, y0=top - 0.5, y1=top + n_rows - 0.5)
            for top, left in corners
        ],
        annotations=[_title(title, *corner) for title, corner in zip(maps, corners, strict=True)],
    )
    figure.add_heatmap(z=whole, coloraxis="coloraxis", hoverongaps=False, hovertemplate="%{z:.3g}<extra></extra>")
    return figure


def _packed(values: Cells) -> Float[np.ndarray, "row column"]:
    return np.ascontiguousarray(values, dtype=np.float32)


def _axis(n: int, labels: Sequence[str] | None, name: str) -> dict[str, Any]:
    if labels is not None:
        return bare_axis(labels_of(labels), np.arange(n))
    title = {"text": escape_plotly(name), "standoff": 4}
    return bare_axis([], None, title=title) | {"tickmode": "auto", "nticks": 9}


def _above(labels: Sequence[str] | None) -> dict[str, Any]:
    return {} if labels is None else {"side": "top", "tickangle": -90}


def _title(title: str, top: int, left: int) -> dict[str, Any]:
    place = {"x": left - 0.5, "xanchor": "left", "y": top - 0.5, "yanchor": "bottom"}
    return {"text": escape_plotly(title), "showarrow": False, **place}
