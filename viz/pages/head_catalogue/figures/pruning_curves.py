"""Quality of a model while heads are pruned: a curve for each order, beside published points."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from viz.base.colours import MUTED, OKABE_ITO
from viz.base.tokens import escape_plotly
from viz.figures.base import canvas, level_at, name_above, note_at, number_axis

_HEIGHT, _TITLE, _LEGEND = 400, 26, 44

Points = tuple[np.ndarray, np.ndarray]


def pruning_curves(
    curves: Mapping[str, Points],
    published: Mapping[str, Points],
    *,
    x_name: str,
    y_name: str,
    level: tuple[str, float] | None,
) -> go.Figure:
    """Return the picture.

    Args:
        curves: shares of the heads that are gone, from 0 to 1, and values there, by name, any text.
        published: the same, drawn as points.
        x_name: what the horizontal axis counts.
        y_name: what the vertical axis measures.
        level: a value to see all against, and what is written at it; None for none.
    """
    figure = canvas(
        width=None,
        height=_HEIGHT,
        margin={"l": 52, "r": 12, "t": _TITLE + _LEGEND, "b": 42},
        xaxis=number_axis(name=x_name) | {"range": [-0.02, 1.02], "tickformat": ".0%"},
        yaxis=number_axis(),
        shapes=[] if level is None else [level_at(level[1])],
        annotations=[] if level is None else [_named(*level)],
        **name_above(y_name, has_legend=True),
    )
    for (name, (x, y)), colour in zip(curves.items(), OKABE_ITO, strict=False):
        figure.add_scatter(
            x=x.astype(np.float32),
            y=y.astype(np.float32),
            mode="lines",
            name=escape_plotly(name),
            line={"color": colour, "width": 2},
            hovertemplate=_hover(name),
        )
    for (name, (x, y)), symbol in zip(published.items(), ("diamond", "square", "circle"), strict=False):
        figure.add_scatter(
            x=x.astype(np.float32),
            y=y.astype(np.float32),
            mode="markers",
            name=escape_plotly(name),
            marker={"color": MUTED, "size": 9, "symbol": symbol},
            hovertemplate=_hover(name),
        )
    return figure


def _hover(name: str) -> str:
    return f"{escape_plotly(name)}<br>%{{x:.0%}}: %{{y:.2f}}<extra></extra>"


def _named(text: str, value: float) -> dict[str, object]:
    # The curves begin at its left end.
    return note_at(text, 1, xref="paper", xanchor="right", y=value, yanchor="top", xshift=-4)
