"""The pattern of one head: a row a query, a column a key, as deep as the weight."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.colours import INK, LINE
from viz.figures.base import name_above
from viz.figures.token_map import token_map

ROW_HEIGHT = 23
"""Of a row of the map, in pixels."""
TITLE_HEIGHT = 30
"""Of what stands over the labels of the columns, in pixels."""


def pattern_map(
    pattern: Float32[np.ndarray, "query key"],
    *,
    title: str,
    queries: Sequence[str],
    keys: Sequence[str],
    hover: str,
    is_edited: Sequence[bool],
) -> go.Figure:
    """Return the map.

    Args:
        pattern: the weights, from 0 to 1.
        title: what stands over it.
        queries: a label for each row, any text; also twice the same.
        keys: a label for each column, any text.
        hover: the tooltip of a cell, with the fields ``row``, ``column`` and ``weight``.
        is_edited: whether a row has a line around it.
    """
    n_queries, n_keys = pattern.shape
    figure = token_map(
        pattern,
        rows=queries,
        columns=keys,
        hover=hover,
        row_height=ROW_HEIGHT,
        title_height=TITLE_HEIGHT,
        **name_above(title, has_legend=False),
    )
    outer = {"type": "rect", "x0": -0.5, "x1": n_keys - 0.5}
    figure.add_shape(**outer, y0=-0.5, y1=n_queries - 0.5, line={"width": 1, "color": LINE})
    for start, end in _runs(is_edited):
        figure.add_shape(**outer, y0=start - 0.5, y1=end - 0.5, line={"width": 2, "color": INK})
    return figure


def _runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """Return where flags that are set follow each other, from a start to before an end."""
    padded = [False, *flags, False]
    starts = [place for place in range(len(flags)) if padded[place + 1] and not padded[place]]
    ends = [place + 1 for place in range(len(flags)) if padded[place + 1] and not padded[place + 2]]
    return list(zip(starts, ends, strict=True))
