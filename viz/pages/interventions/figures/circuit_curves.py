"""The logit difference with parts off: a curve for each choice of parts, over their number."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from viz.base.colours import INK, MUTED, OKABE_ITO, SURFACE
from viz.base.tokens import escape_plotly
from viz.figures.base import canvas, name_above, number_axis

_HEIGHT, _TITLE, _LEGEND = 258, 26, 44


def circuit_curves(
    curves: Mapping[str, tuple[Sequence[float], Sequence[bool]]],
    *,
    sizes: Sequence[int],
    whole: float,
    chosen: int,
    x_name: str,
    y_name: str,
    whole_name: str,
) -> go.Figure:
    """Return the picture.

    Args:
        curves: by name, any text, the difference at each of ``sizes``, and whether its point is filled.
        sizes: numbers of parts, rising.
        whole: the difference in the whole model.
        chosen: the size that is chosen, whose points get a ring.
        x_name: what the sizes are.
        y_name: what was measured.
        whole_name: what the level of the whole model is called.
    """
    places = np.arange(len(sizes), dtype=np.float32)
    ticks = {"tickmode": "array", "tickvals": places, "ticktext": [f"{size:,}" for size in sizes]}
    figure = canvas(
        width=None,
        height=_HEIGHT,
        margin={"l": 40, "r": 12, "t": _TITLE + _LEGEND, "b": 46},
        xaxis=number_axis(name=x_name) | ticks | {"range": [-0.3, len(sizes) - 0.7]},
        yaxis=number_axis() | {"zeroline": True, "zerolinecolor": MUTED},
        **name_above(y_name, has_legend=True),
    )
    figure.add_scatter(
        x=places,
        y=np.full(len(sizes), whole, np.float32),
        mode="lines",
        name=escape_plotly(whole_name),
        line={"color": MUTED, "width": 1, "dash": "dot"},
        hoverinfo="skip",
    )
    for (name, (values, are_filled)), colour in zip(curves.items(), (OKABE_ITO[0], OKABE_ITO[5], MUTED), strict=True):
        figure.add_scatter(
            x=places,
            y=np.asarray(values, np.float32),
            mode="lines+markers",
            name=escape_plotly(name),
            line={"color": colour, "width": 2},
            marker={
                "color": [colour if is_filled else SURFACE for is_filled in are_filled],
                "size": [11 if size == chosen else 8 for size in sizes],
                "line": {"color": [INK if size == chosen else colour for size in sizes], "width": 2},
            },
            customdata=[f"{size:,}" for size in sizes],
            hovertemplate=f"{escape_plotly(name)}<br>%{{customdata}}: %{{y:.2f}}<extra></extra>",
        )
    return figure
