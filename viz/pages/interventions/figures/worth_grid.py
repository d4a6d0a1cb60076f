"""Importance of every source word: a row with its own scale for each method, a column for each word."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import MUTED
from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, label_pixels, labels_of, upright_axis, upright_pixels
from viz.figures.cells import add_cells, add_numbers

_ROW, _HEAD, _BESIDE = 40, 26, 56
# Pixels of a column in which a number can be read, and of all columns where the words stand level.
_COLUMN, _LEVEL = 46, 900
# Of the largest in its row: smaller ones have no number.
_WRITTEN = 0.12


def narrowest_grid(rows: Sequence[str], words: Sequence[str]) -> int:
    """Return the pixels in which the grid can be read."""
    column = label_pixels(words) if _are_level(words) else _COLUMN
    return label_pixels(rows) + column * len(words) + _BESIDE


def worth_grid(
    values: Float[np.ndarray, "row word"],
    *,
    rows: Sequence[str],
    words: Sequence[str],
    hovers: Sequence[Sequence[str]],
    beside: tuple[str, Sequence[str]],
    after: int,
) -> go.Figure:
    """Return the grid.

    Args:
        values: what each word is worth.
        rows: a label for each row, any text.
        words: a label for each column, any text.
        hovers: the tooltip of each cell, any text.
        beside: what stands at the end of each row, and what is over it.
        after: a line is drawn under so many rows.
    """
    n_rows = len(values)
    scaled = values / np.maximum(np.abs(values).max(axis=1, keepdims=True), np.finfo(np.float32).tiny)
    head = _HEAD if _are_level(words) else upright_pixels(words)
    figure = canvas(
        width=None,
        height=head + _ROW * n_rows,
        margin={"l": label_pixels(rows), "t": head, "r": _BESIDE},
        xaxis=_above(words),
        yaxis=bare_axis(labels_of(rows), np.arange(n_rows), range=[n_rows - 0.5, -0.5]),
    )
    add_cells(figure, scaled, hovers, largest=1.0, gap=6)
    add_numbers(figure, values, scaled, written=_WRITTEN, places=2)
    title, texts = beside
    figure.add_annotation(text=escape_plotly(title), y=1, yref="paper", yanchor="bottom", yshift=6, **_at_the_end())
    for row, text in enumerate(texts):
        figure.add_annotation(text=escape_plotly(text), y=row, **_at_the_end())
    line = {"width": 1, "color": MUTED}
    figure.add_shape(type="line", x0=0, x1=1, xref="paper", y0=after - 0.5, y1=after - 0.5, line=line)
    return figure


def _above(words: Sequence[str]) -> dict[str, Any]:
    places = np.arange(len(words))
    if _are_level(words):
        return bare_axis(labels_of(words), places, side="top", tickangle=0)
    return upright_axis(words, places, side="top")


def _are_level(words: Sequence[str]) -> bool:
    return label_pixels(words) * len(words) <= _LEVEL


def _at_the_end() -> dict[str, object]:
    return {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 8, "showarrow": False}
