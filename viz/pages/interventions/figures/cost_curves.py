"""Quality of translations with changed positions: a curve for each side, and the chosen value."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import INK, OKABE_ITO
from viz.base.tokens import escape_plotly
from viz.figures.base import canvas, mark_at, name_above, note_at, number_axis

_HEIGHT, _TITLE, _LEGEND = 330, 26, 30


def cost_curves(
    curves: Mapping[str, Float[np.ndarray, " value"]],
    *,
    values: Sequence[str],
    own: int,
    chosen: tuple[str, int],
    x_name: str,
    y_name: str,
    own_name: str,
) -> go.Figure:
    """Return the picture; values stand side by side, however far apart they are.

    Args:
        curves: what was measured at each value, by name, any text.
        values: a label for each value, any text.
        own: the place of the value that the model was trained with.
        chosen: the name of a curve and the place of a value, which get a ring.
        x_name: what the values are.
        y_name: what was measured.
        own_name: what is written at the model's own value.
    """
    places = np.arange(len(values), dtype=np.float32)
    ticks = {"tickmode": "array", "tickvals": places, "ticktext": [escape_plotly(value) for value in values]}
    figure = canvas(
        width=None,
        height=_HEIGHT,
        margin={"l": 40, "r": 12, "t": _TITLE + _LEGEND, "b": 62},
        xaxis=number_axis(name=x_name) | ticks | {"range": [-0.4, len(values) - 0.6], "tickangle": -45},
        yaxis=number_axis() | {"rangemode": "tozero"},
        shapes=[mark_at(own)],
        annotations=[note_at(own_name, own, y=0.02, yref="paper", yanchor="bottom", xanchor="right", xshift=-4)],
        **name_above(y_name, has_legend=True),
    )
    for (name, measured), colour in zip(curves.items(), OKABE_ITO, strict=False):
        figure.add_scatter(
            x=places,
            y=measured.astype(np.float32),
            mode="lines+markers",
            name=escape_plotly(name),
            line={"color": colour, "width": 2},
            marker={"color": colour, "size": 6},
            customdata=[escape_plotly(value) for value in values],
            hovertemplate=f"{escape_plotly(name)}<br>%{{customdata}}: %{{y:.1f}}<extra></extra>",
        )
    name, place = chosen
    figure.add_scatter(
        x=[place],
        y=[float(curves[name][place])],
        mode="markers",
        marker={"size": 15, "color": "rgba(0,0,0,0)", "line": {"color": INK, "width": 2}},
        hoverinfo="skip",
        showlegend=False,
    )
    return figure
