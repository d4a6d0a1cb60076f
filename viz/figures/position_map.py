"""A matrix over positions: what an encoding adds to each, or to the score of each pair."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.colours import DIVERGING, INK, MUTED
from viz.base.tokens import escape_plotly
from viz.figures.base import canvas


def position_map(
    values: Float32[np.ndarray, "row column"],
    *,
    row_name: str,
    column_name: str,
    hover: str,
    trained: int | None = None,
    is_square: bool = False,
    height: int = 250,
    deepest: float | None = None,
) -> go.Figure:
    """Return ``values`` as a picture, the largest |value| the deepest.

    0 and NaN are the page's own surface.

    Args:
        values: rows and columns counted from 0.
        row_name: what the rows are.
        column_name: what the columns are.
        hover: the text about the cell under the pointer, with ``{row}``, ``{column}`` and ``{value}``.
        trained: rows (and, of a square map, columns) from here on are marked as beyond what was trained.
        is_square: whether rows and columns are the same positions, drawn as long as each other.
        height: in pixels.
        deepest: the absolute value that is drawn deepest, where several maps share a scale.
    """
    deepest = deepest or largest([values])
    n_rows, n_columns = values.shape
    figure = canvas(
        width=None,
        height=height,
        margin={"l": 48, "r": 44, "t": 6, "b": 44},
        xaxis=_axis(column_name) | {"range": [-0.5, n_columns - 0.5]},
        yaxis=_axis(row_name)
        | {"range": [n_rows - 0.5, -0.5], "constraintoward": "top", "scaleanchor": "x" if is_square else None},
        shapes=_edges(trained, is_square=is_square) if trained is not None and trained < n_rows else [],
    )
    bar = {"thickness": 7, "xpad": 6, "ypad": 0, "outlinewidth": 0.5, "outlinecolor": MUTED}
    bar |= {"tickvals": _ticks(deepest), "tickfont": {"color": MUTED, "size": 13}}
    figure.add_heatmap(
        z=np.ascontiguousarray(values, dtype=np.float32),
        zmin=-deepest,
        zmax=deepest,
        colorscale=DIVERGING,
        hovertemplate=escape_plotly(hover).format(row="%{y}", column="%{x}", value="%{z:.3f}") + "<extra></extra>",
        hoverongaps=False,
        colorbar=bar,
    )
    return figure


def largest(maps: Iterable[Float32[np.ndarray, "row column"]]) -> float:
    """Return the largest absolute value in ``maps``; 1 where all are 0 or no numbers."""
    return max((float(np.abs(values[np.isfinite(values)]).max(initial=0)) for values in maps), default=0.0) or 1.0


def _axis(name: str) -> dict[str, Any]:
    axis = {"showgrid": False, "zeroline": False, "fixedrange": True, "nticks": 5, "linecolor": MUTED}
    title = {"text": escape_plotly(name), "standoff": 4, "font": {"size": 13}}
    return axis | {"tickfont": {"color": MUTED, "size": 13}, "title": title, "constrain": "domain"}


def _edges(trained: int, *, is_square: bool) -> list[dict[str, Any]]:
    """Return a line before the first row that was not trained, of a square map before the column too."""
    line = {"type": "line", "line": {"color": INK, "width": 1, "dash": "dot"}}
    at = trained - 0.5
    row = line | {"x0": 0, "x1": 1, "xref": "x domain", "y0": at, "y1": at}
    column = line | {"x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "y domain"}
    return [row, column] if is_square else [row]


def _ticks(deepest: float) -> list[float]:
    """Return 0 and, both ways, the largest number of one digit that is no deeper than ``deepest``."""
    decade = 10.0 ** math.floor(math.log10(deepest))
    outer = float(f"{math.floor(deepest / decade) * decade:.0e}")
    return [-outer, 0, outer]
