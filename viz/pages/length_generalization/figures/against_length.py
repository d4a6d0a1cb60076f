"""The canvas of a measure from 0 to 1 against length, with a mark where training ended."""

import plotly.graph_objects as go

from viz.figures.base import canvas, legend_below, mark_at, name_above, name_of_mark, number_axis

_HEIGHT, _PICTURE = 440, 320


def against_length(*, longest_trained: int, x_name: str, y_name: str, marked: str) -> go.Figure:
    """Return an empty figure.

    Args:
        longest_trained: the longest input trained on.
        x_name: what the length counts.
        y_name: what is measured.
        marked: what is written where training ended.
    """
    return canvas(
        width=None,
        height=_HEIGHT,
        margin={"l": 44, "r": 12, "t": 44, "b": 42},
        hovermode="x unified",
        xaxis=number_axis(name=x_name),
        yaxis=number_axis() | {"range": [-0.03, 1.03]},
        shapes=[mark_at(longest_trained)],
        annotations=[name_of_mark(marked, longest_trained)],
        **name_above(y_name, has_legend=True) | {"legend": legend_below(_PICTURE)},
    )
