"""Common canvas of the topic's pictures: a row for each name, and values from left to right."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from viz.base.tokens import escape_plotly, shorten
from viz.figures.base import bare_axis, canvas, name_above, number_axis

_ROW, _TITLE, _LEGEND, _BOTTOM = 25, 26, 22, 24
_GAP, _LONGEST = 12, 30
_ROOM = 0.05
# Of a legend, in pixels: else Plotly scrolls it where it is higher than half of the picture.
_TALLEST = 200
# As many rows have room at least, so that a legend of several lines leaves some of it.
_FEWEST = 4


def row_canvas(names: Sequence[str], values: Sequence[float], *, x_name: str) -> go.Figure:
    """Return a figure with room for all ``values``, a row for each of ``names``, the first on top.

    The names are any text.

    What is measured stands over the names of the rows, and the legend begins there: over the marks alone, a narrow
    picture has no room for either.
    """
    room = _ROOM * ((max(values) - min(values)) or 1)
    above = name_above(x_name, has_legend=True)
    at_the_edge = {"x": 0, "xref": "container"}
    return canvas(
        width=None,
        height=_TITLE + _LEGEND + _BOTTOM + _ROW * max(len(names), _FEWEST),
        margin={"l": _GAP, "r": 8, "t": _TITLE + _LEGEND, "b": _BOTTOM},
        xaxis=number_axis() | {"range": [min(values) - room, max(values) + room]},
        yaxis=bare_axis(
            [escape_plotly(shorten(name, _LONGEST)) for name in names],
            np.arange(len(names)),
            range=[len(names) - 0.4, -0.6],
            automargin="left",
        ),
        **above
        | {"title": above["title"] | at_the_edge, "legend": above["legend"] | at_the_edge | {"maxheight": _TALLEST}},
    )
