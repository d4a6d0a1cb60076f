"""Bars from left to right, a row for each label; the parts of a row follow each other."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import OKABE_ITO
from viz.base.tokens import escape_plotly, shorten
from viz.figures.base import bare_axis, canvas, name_above, number_axis, text_pixels

_LONGEST = 34
_ROW = 24
_TITLE, _LEGEND, _AXIS = 26, 22, 24
_ROOM = 0.12
# Pixels right of the picture, where numbers end on a narrow screen.
_NUMBER = 40
_NUMBER_FORMAT = ".3~g"


def horizontal(
    rows: Sequence[str],
    parts: Mapping[str, Float[np.ndarray, " row"]],
    *,
    x_name: str,
) -> go.Figure:
    """Return a bar for each of ``rows``, the first on top, made of ``parts``.

    A bar of one part has its number.

    Args:
        rows: labels, any text.
        parts: values by what they are; one of 0 has no number beside others. One part needs no legend.
        x_name: what the bars measure.
    """
    heights = np.array(list(parts.values()), dtype=np.float32)  # [part, row]
    is_written = bool((np.count_nonzero(heights, axis=0) <= 1).all())
    labels = [escape_plotly(shorten(row, _LONGEST)) for row in rows]
    left = 12 + round(max(text_pixels(shorten(row, _LONGEST)) for row in rows))
    top = _TITLE + (_LEGEND if len(parts) > 1 else 0)
    figure = canvas(
        width=None,
        height=top + _ROW * len(rows) + _AXIS,
        margin={"l": left, "r": _NUMBER if is_written else 12, "t": top, "b": _AXIS},
        # A number stands outside of its bar only where nothing may follow it.
        barmode="overlay" if is_written else "relative",
        bargap=0.3,
        xaxis=number_axis() | {"range": _range(heights)},
        yaxis=bare_axis(labels, np.arange(len(rows)), range=[len(rows) - 0.5, -0.5]),
        **name_above(x_name, has_legend=len(parts) > 1),
    )
    for name, values, colour in zip(parts, heights, OKABE_ITO, strict=False):
        figure.add_bar(
            # A part that is nothing has no number. Parts that follow each other end where one is not a number, though.
            x=np.where(values == 0, np.nan, values) if len(parts) > 1 and is_written else values,
            orientation="h",
            name=escape_plotly(name),
            marker={"color": colour, "line": {"width": 0}},
            hovertemplate=f"%{{y}}, {escape_plotly(name)}: %{{x:{_NUMBER_FORMAT}}}<extra></extra>",
            texttemplate=f"%{{x:{_NUMBER_FORMAT}}}" if is_written else None,
            textposition="outside" if is_written else "none",
            cliponaxis=False,
        )
    return figure


def _range(values: Float[np.ndarray, "part row"]) -> list[float]:
    """Return the ends of the axis, with room for the numbers beside the longest bars."""
    lowest = float(np.minimum(values, 0).sum(axis=0).min())
    highest = float(np.maximum(values, 0).sum(axis=0).max())
    room = _ROOM * (highest - lowest)
    return [lowest - room if lowest < 0 else 0.0, highest + room]
