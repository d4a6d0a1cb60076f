"""Curves with the spread they were drawn from."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import OKABE_ITO
from viz.base.tokens import escape_plotly
from viz.figures.base import POWERS_OF_FOUR, canvas, mark_at, name_above, number_axis

_FEW_DECADES = 2


def spread(
    x: Sequence[float],
    curves: Mapping[str, Float[np.ndarray, "3 x"]],
    *,
    colours: Mapping[str, str] | None = None,
    x_name: str,
    y_name: str,
    logarithmic_x: bool = True,
    logarithmic_y: bool = False,
    here: float | None = None,
    expected: Mapping[str, Float[np.ndarray, " x"]] | None = None,
    height: int = 260,
) -> go.Figure:
    """Return a line through the middle row of each curve, with a band from its first row to its last.

    Args:
        x: where the curves are known.
        curves: by name, [3, x]: low, middle and high.
        colours: by name, where another order of the palette is meant.
        x_name: what the horizontal axis counts.
        y_name: what the vertical axis measures.
        logarithmic_x: whether the horizontal axis is logarithmic.
        logarithmic_y: whether the vertical axis is logarithmic.
        here: a place on the horizontal axis to mark.
        expected: what theory says, drawn as dots in the colour of the curve of the same name.
        height: in pixels.
    """
    top = 44 if len(curves) > 1 else 26
    x_axis = number_axis(name=x_name, is_logarithmic=logarithmic_x)
    # Room on the right for half of the last number, which Plotly leaves out where it would be cut.
    figure = canvas(
        width=None,
        height=height,
        margin={"l": 44, "r": 20, "t": top, "b": 42},
        xaxis=x_axis | POWERS_OF_FOUR if logarithmic_x else x_axis,
        yaxis=_logarithmic(curves) if logarithmic_y else number_axis(),
        shapes=[] if here is None else [mark_at(here)],
        **name_above(y_name, has_legend=len(curves) > 1),
    )
    drawn_in = colours or dict(zip(curves, OKABE_ITO, strict=False))
    for name, (low, middle, high) in curves.items():
        _add_band(figure, x, low, high, drawn_in[name])
        label = escape_plotly(name)
        hover = f"{label}<br>{escape_plotly(x_name)} %{{x}}: %{{y:.4g}}<extra></extra>"
        line = {"color": drawn_in[name], "width": 2}
        figure.add_scatter(x=np.asarray(x), y=middle, mode="lines", name=label, line=line, hovertemplate=hover)
    for name, values in (expected or {}).items():
        marker = {"color": drawn_in[name], "size": 6, "symbol": "circle-open"}
        figure.add_scatter(x=np.asarray(x), y=values, mode="markers", marker=marker, showlegend=False, hoverinfo="skip")
    return figure


def _logarithmic(curves: Mapping[str, Float[np.ndarray, "3 x"]]) -> dict[str, Any]:
    """Return an axis of numbers written out.

    Powers of ten would have exponents too small to be read.
    """
    values = np.concatenate([curve.ravel() for curve in curves.values()])
    decades = np.ptp(np.log10(values[values > 0])) if (values > 0).any() else 0.0
    # Of few decades powers of ten alone would be one tick; this adds the doubles and the fives.
    step = "D2" if decades < _FEW_DECADES else 1
    return number_axis(is_logarithmic=True) | {"tickformat": ",~g", "dtick": step}


def _add_band(figure: go.Figure, x: Sequence[float], low: np.ndarray, high: np.ndarray, colour: str) -> None:
    edge = {"mode": "lines", "line": {"width": 0}, "showlegend": False, "hoverinfo": "skip"}
    figure.add_scatter(x=np.asarray(x), y=low, **edge)
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    figure.add_scatter(x=np.asarray(x), y=high, fill="tonexty", fillcolor=f"rgba({red},{green},{blue},0.18)", **edge)
