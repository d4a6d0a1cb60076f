"""The pattern of one head: a row a query, a column a key, as deep as the weight."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.colours import PALETTES, Theme, sequential
from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, label_pixels, labels_of, name_above

_ROW, _TITLE = 23, 30


def pattern_map(
    pattern: Float32[np.ndarray, "query key"],
    *,
    title: str,
    queries: Sequence[str],
    keys: Sequence[str],
    hover: str,
    is_edited: Sequence[bool],
    theme: Theme,
) -> go.Figure:
    """Return the map.

    Args:
        pattern: the weights, from 0 to 1.
        title: what stands over it.
        queries: a label for each row, any text; also twice the same.
        keys: a label for each column, any text.
        hover: what is told of a cell, with places for the ``query``, the ``key`` and the ``weight``.
        is_edited: whether a row has a line around it.
        theme: light or dark.
    """
    n_queries, n_keys = pattern.shape
    head = _TITLE + label_pixels(keys)
    figure = canvas(
        theme,
        width=None,
        height=head + _ROW * n_queries,
        margin={"l": label_pixels(queries), "t": head, "r": 2, "b": 2},
        xaxis=bare_axis(labels_of(keys), np.arange(n_keys), side="top", tickangle=-90),
        yaxis=bare_axis(labels_of(queries), np.arange(n_queries), range=[n_queries - 0.5, -0.5]),
        **name_above(title, has_legend=False),
    )
    figure.add_heatmap(
        z=pattern,
        customdata=[
            [
                escape_plotly(hover.format(query=query, key=key, weight=f"{weight:.2f}"))
                for key, weight in zip(keys, row, strict=True)
            ]
            for query, row in zip(queries, pattern.tolist(), strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
        colorscale=sequential(theme),
        zmin=0,
        zmax=1,
        showscale=False,
        xgap=1,
        ygap=1,
    )
    palette = PALETTES[theme]
    outer = {"type": "rect", "x0": -0.5, "x1": n_keys - 0.5}
    figure.add_shape(**outer, y0=-0.5, y1=n_queries - 0.5, line={"width": 1, "color": palette.line})
    for start, end in _runs(is_edited):
        figure.add_shape(**outer, y0=start - 0.5, y1=end - 0.5, line={"width": 2, "color": palette.ink})
    return figure


def _runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """Return where flags that are set follow each other, from a start to before an end."""
    padded = [False, *flags, False]
    starts = [place for place in range(len(flags)) if padded[place + 1] and not padded[place]]
    ends = [place + 1 for place in range(len(flags)) if padded[place + 1] and not padded[place + 2]]
    return list(zip(starts, ends, strict=True))
