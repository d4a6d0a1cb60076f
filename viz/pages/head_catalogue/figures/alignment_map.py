"""The words of a pair: what a head weighs them by, the links that people made, and those of the head."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import PALETTES, Theme, sequential
from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, label_pixels, labels_of

Links = frozenset[tuple[int, int]]
"""Pairs of a source word and a target word, from 0."""

_ROW = 26
_INSET = 0.42


def alignment_map(
    weights: Float[np.ndarray, "target source"],
    *,
    source: Sequence[str],
    target: Sequence[str],
    sure: Links,
    possible: Links,
    links: Links,
    hover: str,
    theme: Theme,
) -> go.Figure:
    """Return the map: a row a target word, a column a source word.

    Args:
        weights: from 0 to 1.
        source: a label for each column, any text.
        target: a label for each row, any text.
        sure: what has a line around it.
        possible: what has a dashed one, where it is not sure.
        links: what has a dot, or a cross where it is not even possible.
        hover: what is told of a cell, with places for the ``target``, the ``source`` and the ``weight``.
        theme: light or dark.
    """
    palette = PALETTES[theme]
    figure = canvas(
        theme,
        width=None,
        height=label_pixels(source) + _ROW * len(target),
        margin={"l": label_pixels(target), "t": label_pixels(source), "r": 2, "b": 2},
        xaxis=bare_axis(labels_of(source), np.arange(len(source)), side="top", tickangle=-90),
        yaxis=bare_axis(labels_of(target), np.arange(len(target)), range=[len(target) - 0.5, -0.5]),
        shapes=[
            *(_frame(link, {"color": palette.ink, "width": 2}) for link in sorted(sure)),
            *(_frame(link, {"color": palette.ink, "width": 1.5, "dash": "dot"}) for link in sorted(possible - sure)),
        ],
    )
    figure.add_heatmap(
        z=weights,
        customdata=[
            [
                escape_plotly(hover.format(target=one, source=other, weight=f"{weight:.2f}"))
                for other, weight in zip(source, row, strict=True)
            ]
            for one, row in zip(target, weights.tolist(), strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
        colorscale=sequential(theme),
        zmin=0,
        zmax=1.2,
        showscale=False,
        xgap=1,
        ygap=1,
    )
    for symbol, found in (("circle", links & possible), ("x", links - possible)):
        figure.add_scatter(
            x=[column for column, _ in sorted(found)],
            y=[row for _, row in sorted(found)],
            mode="markers",
            marker={
                "symbol": symbol,
                "size": 9,
                "color": palette.ink,
                "line": {"color": palette.surface, "width": 1.5},
            },
            hoverinfo="skip",
        )
    return figure


def _frame(link: tuple[int, int], line: dict[str, object]) -> dict[str, object]:
    column, row = link
    corners = {"x0": column - _INSET, "x1": column + _INSET, "y0": row - _INSET, "y1": row + _INSET}
    return {"type": "rect", "line": line, **corners}
