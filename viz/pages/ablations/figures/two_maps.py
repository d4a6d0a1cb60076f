"""Two attention maps beside each other, in one scale."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.colours import Theme, sequential
from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, colour_bar, frame, label_pixels, labels_of, note_at

_CELL, _GAP, _TITLE, _BAR = 22, 26, 30, 58


@dataclass(frozen=True)
class TitledMap:
    """Weights with a label for each row and column, and the map's title; all any text."""

    weights: Float32[np.ndarray, "query key"]
    queries: Sequence[str]
    keys: Sequence[str]
    title: str


def two_maps(left: TitledMap, right: TitledMap, *, theme: Theme, hover: str) -> go.Figure:
    """Return ``left`` and ``right`` as one picture.

    Args:
        left: the first map.
        right: the second map.
        theme: light or dark.
        hover: the text about the cell under the pointer, with ``{query}``, ``{key}`` and ``{weight}``.
    """
    tops = max(label_pixels(one.keys) for one in (left, right)) + _TITLE
    n_rows = max(len(left.queries), len(right.queries))
    margin = {"l": label_pixels(left.queries), "t": tops, "r": _BAR, "b": 4}
    between = label_pixels(right.queries) + _GAP
    plotted = (len(left.keys) + len(right.keys)) * _CELL + between
    ends = len(left.keys) * _CELL / plotted, (len(left.keys) * _CELL + between) / plotted
    axes = {}
    for number, (one, domain) in enumerate(((left, (0, ends[0])), (right, (ends[1], 1))), start=1):
        name = "" if number == 1 else str(number)
        axes[f"xaxis{name}"] = bare_axis(
            labels_of(one.keys), np.arange(len(one.keys)), side="top", tickangle=-90, domain=domain, anchor=f"y{name}"
        )
        axes[f"yaxis{name}"] = bare_axis(
            labels_of(one.queries), np.arange(len(one.queries)), range=[n_rows - 0.5, -0.5], anchor=f"x{name}"
        )
    titles = [
        note_at(one.title, start, theme, xref="paper", y=1, yref="paper", yanchor="bottom", yshift=tops - _TITLE)
        for one, start in ((left, 0), (right, ends[1]))
    ]
    figure = canvas(
        theme,
        width=None,
        height=tops + n_rows * _CELL + 4,
        margin=margin,
        annotations=titles,
        shapes=[
            frame(theme, x0=-0.5, x1=len(one.keys) - 0.5, y0=-0.5, y1=len(one.queries) - 0.5, xref=x, yref=y)
            for one, x, y in ((left, "x", "y"), (right, "x2", "y2"))
        ],
        **axes,
    )
    for one, x, y in ((left, "x", "y"), (right, "x2", "y2")):
        told = [
            [
                escape_plotly(hover.format(query=query, key=key, weight=f"{weight:.1%}"))
                for key, weight in zip(one.keys, row, strict=True)
            ]
            for query, row in zip(one.queries, one.weights, strict=True)
        ]
        figure.add_trace(
            go.Heatmap(
                z=np.ascontiguousarray(one.weights, dtype=np.float32),
                zmin=0,
                zmax=1,
                xaxis=x,
                yaxis=y,
                colorscale=sequential(theme),
                showscale=x == "x2",
                colorbar=colour_bar(theme, (0, 0.5, 1)),
                customdata=told,
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    return figure


def narrowest(left: TitledMap, right: TitledMap) -> int:
    """Return the pixels in which every label of both maps can be read."""
    labels = label_pixels(left.queries) + label_pixels(right.queries)
    return round((len(left.keys) + len(right.keys)) * 18 + labels + _GAP + _BAR)
