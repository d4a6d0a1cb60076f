"""The canvas of a measure from 0 to 1 against length, with a mark where training ended."""

from dataclasses import dataclass

import plotly.graph_objects as go

from viz.figures.base import canvas, legend_below, mark_at, name_above, name_of_mark, number_axis

_HEIGHT, _PICTURE = 440, 320


@dataclass(frozen=True)
class LengthAxes:
    """Axes against length.

    Attributes:
        longest_trained: the longest input trained on.
        x_name: what the length counts.
        y_name: what is measured.
        marked: what is written where training ended.
    """

    longest_trained: int
    x_name: str
    y_name: str
    marked: str


def against_length(axes: LengthAxes) -> go.Figure:
    """Return an empty figure with ``axes``."""
    return canvas(
        width=None,
        height=_HEIGHT,
        margin={"l": 44, "r": 12, "t": 44, "b": 42},
        hovermode="x unified",
        xaxis=number_axis(name=axes.x_name),
        yaxis=number_axis() | {"range": [-0.03, 1.03]},
        shapes=[mark_at(axes.longest_trained)],
        annotations=[name_of_mark(axes.marked, axes.longest_trained)],
        **name_above(axes.y_name, has_legend=True) | {"legend": legend_below(_PICTURE)},
    )
