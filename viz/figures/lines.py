"""Curves over one axis of numbers."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import OKABE_ITO
from viz.base.tokens import escape_plotly
from viz.figures.base import canvas, mark_at, name_above, note_at, number_axis, whole_ticks

_TITLE, _LEGEND = 26, 22


def lines(
    x: Float[np.ndarray, " x"],
    curves: Mapping[str, Float[np.ndarray, " x"]],
    *,
    x_name: str,
    y_name: str,
    logarithmic_x: bool = False,
    logarithmic_y: bool = False,
    marks: Mapping[str, float] | None = None,
    height: int = 250,
) -> go.Figure:
    """Return one line for each curve, in the fixed order of the palette.

    Args:
        x: where the curves are known.
        curves: values by name, any text; nothing is drawn where a value is NaN.
        x_name: what the horizontal axis counts.
        y_name: what the vertical axis measures; it begins at 0 unless it is logarithmic.
        logarithmic_x: whether the horizontal axis is logarithmic.
        logarithmic_y: whether the vertical axis is logarithmic.
        marks: places on the horizontal axis to mark with a dotted line, by what is written beside it.
        height: in pixels.
    """
    top = _TITLE + (_LEGEND if len(curves) > 1 else 0)
    places = (marks or {}).items()
    heights = np.concatenate([np.zeros(1), *curves.values()])
    figure = canvas(
        width=None,
        height=height,
        margin={"l": 52, "r": 12, "t": top, "b": 42},
        xaxis=number_axis(name=x_name, is_logarithmic=logarithmic_x) | ({} if logarithmic_x else whole_ticks(x)),
        yaxis=number_axis(is_logarithmic=logarithmic_y)
        | {"rangemode": "tozero"}
        | ({} if logarithmic_y else whole_ticks(heights)),
        shapes=[mark_at(place) for _, place in places],
        # A shape on a logarithmic axis is placed by its value, an annotation by its exponent.
        annotations=[
            note_at(text, np.log10(place) if logarithmic_x else place, y=0, yref="paper", yanchor="bottom", xshift=3)
            for text, place in places
        ],
        **name_above(y_name, has_legend=len(curves) > 1),
    )
    for (name, y), colour in zip(curves.items(), OKABE_ITO, strict=False):
        hover = f"{escape_plotly(name)}<br>{escape_plotly(x_name)} %{{x:.5~g}}: %{{y:.4g}}<extra></extra>"
        figure.add_scatter(
            x=np.asarray(x, dtype=np.float32),
            y=np.asarray(y, dtype=np.float32),
            mode="lines",
            name=escape_plotly(name),
            line={"color": colour, "width": 2},
            hovertemplate=hover,
        )
    return figure
