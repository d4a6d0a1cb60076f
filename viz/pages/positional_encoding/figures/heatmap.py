"""One attention matrix."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.colours import PALETTES, Theme, sequential
from viz.base.tokens import escape_plotly, shorten
from viz.figures.base import CHARACTER_WIDTH, bare_axis, canvas

_SMALLEST_CELL, _LARGEST_CELL = 15, 36
_TALLEST = 352
_LABEL_GAP = 12
_COLOUR_BAR = 58


def heatmap(
    weights: Float32[np.ndarray, "query key"],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    theme: Theme,
    width: int = 760,
    hover: str = "{query} looks at {key}: {weight}",
) -> go.Figure:
    """Return ``weights`` as a picture: a row per query, a column per key, its label above.

    Cells are square, between a smallest size, which leaves room for every label, and a largest one. Within those they
    fill ``width`` pixels; the figure's own width follows.

    Args:
        weights: attention weights, each from 0 to 1.
        queries: a label for each row, any text.
        keys: a label for each column, any text.
        theme: light or dark.
        width: of the place the figure is for, in pixels.
        hover: what is said of the cell under the pointer, with ``{query}``, ``{key}`` and ``{weight}``.
    """
    rows, columns = _shown(queries), _shown(keys)
    left, top = _label_pixels(queries), _label_pixels(keys)
    cell = cell_pixels(len(queries), len(keys), width - left - _COLOUR_BAR)
    margin = {"l": left, "t": top, "r": _COLOUR_BAR, "b": 4}
    figure = canvas(
        theme,
        width=left + len(keys) * cell + _COLOUR_BAR,
        height=top + len(queries) * cell + 4,
        margin=margin,
        xaxis=bare_axis(columns, np.arange(len(keys)), side="top", tickangle=-90),
        yaxis=bare_axis(rows, np.arange(len(queries)), range=[len(queries) - 0.5, -0.5]),
        shapes=[_frame(theme)],
    )
    figure.add_trace(
        go.Heatmap(
            z=np.ascontiguousarray(weights, dtype=np.float32),
            zmin=0,
            zmax=1,
            colorscale=sequential(theme),
            hovertemplate=escape_plotly(hover).format(query="%{y}", key="%{x}", weight="%{z:.2f}") + "<extra></extra>",
            colorbar=_colour_bar(theme),
        )
    )
    return figure


def cell_pixels(n_rows: int, n_columns: int, width: int) -> int:
    """Return the side of a cell that lets the matrix fill ``width`` pixels without outgrowing the screen's height."""
    return min(max(min(width // n_columns, _TALLEST // n_rows), _SMALLEST_CELL), _LARGEST_CELL)


def narrowest(n_columns: int, queries: Sequence[str]) -> int:
    """Return the width in pixels under which the labels of that many columns would overlap."""
    return _label_pixels(queries) + n_columns * _SMALLEST_CELL + _COLOUR_BAR


def _shown(labels: Sequence[str]) -> list[str]:
    return [escape_plotly(shorten(label)) for label in labels]


def _label_pixels(labels: Sequence[str]) -> int:
    return _LABEL_GAP + round(max(len(shorten(label)) for label in labels) * CHARACTER_WIDTH)


def _colour_bar(theme: Theme) -> dict[str, object]:
    return {
        "thickness": 8,
        "len": 1,
        "lenmode": "fraction",
        "x": 1,
        "xpad": 12,
        "ypad": 0,
        "outlinewidth": 0.5,
        "outlinecolor": PALETTES[theme].muted,
        "tickvals": np.array([0, 0.5, 1]),
        "tickfont": {"color": PALETTES[theme].muted, "size": 11},
    }


def _frame(theme: Theme) -> dict[str, object]:
    """Return a thin line around the matrix: without it, an edge of zeros would have no end."""
    corners = {"x0": 0, "x1": 1, "y0": 0, "y1": 1, "xref": "paper", "yref": "paper"}
    return {"type": "rect", "line": {"width": 1, "color": PALETTES[theme].line}, **corners}
