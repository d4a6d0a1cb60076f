"""The words of a pair: what a head weighs them by, the links that people made, and those of the head."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import INK, SURFACE
from viz.figures.token_map import token_map

Links = frozenset[tuple[int, int]]
"""Pairs of a source word and a target word, from 0."""

_ROW = 26
_INSET = 0.42
_DEEPEST = 1.2
"""A dot is seen on a cell of any weight."""


def alignment_map(
    weights: Float[np.ndarray, "target source"],
    *,
    source: Sequence[str],
    target: Sequence[str],
    sure: Links,
    possible: Links,
    links: Links,
    hover: str,
) -> go.Figure:
    """Return the map: a row a target word, a column a source word.

    Args:
        weights: from 0 to 1.
        source: a label for each column, any text.
        target: a label for each row, any text.
        sure: what has a line around it.
        possible: what has a dashed one, where it is not sure.
        links: what has a dot, or a cross where it is not even possible.
        hover: the tooltip of a cell, with the fields ``row``, ``column`` and ``weight``.
    """
    figure = token_map(
        weights,
        rows=target,
        columns=source,
        hover=hover,
        row_height=_ROW,
        deepest=_DEEPEST,
        shapes=[
            *(_frame(link, {"color": INK, "width": 2}) for link in sorted(sure)),
            *(_frame(link, {"color": INK, "width": 1.5, "dash": "dot"}) for link in sorted(possible - sure)),
        ],
    )
    for symbol, pairs in (("circle", links & possible), ("x", links - possible)):
        figure.add_scatter(
            x=[column for column, _ in sorted(pairs)],
            y=[row for _, row in sorted(pairs)],
            mode="markers",
            marker={
                "symbol": symbol,
                "size": 9,
                "color": INK,
                "line": {"color": SURFACE, "width": 1.5},
            },
            hoverinfo="skip",
        )
    return figure


def _frame(link: tuple[int, int], line: dict[str, object]) -> dict[str, object]:
    column, row = link
    corners = {"x0": column - _INSET, "x1": column + _INSET, "y0": row - _INSET, "y1": row + _INSET}
    return {"type": "rect", "line": line, **corners}
