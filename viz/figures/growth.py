"""Quantities that grow with a size, on two logarithmic axes, with a mark at one size."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from viz.base.colours import OKABE_ITO
from viz.base.tokens import escape_plotly
from viz.figures.base import POWERS_OF_FOUR, canvas, mark_at, name_above, number_axis

Curve = tuple[Sequence[float], Sequence[float]]
"""Sizes and values."""

# Pixels of each colour where several lines are one.
_STRIPE = 8


def growth(
    curves: Mapping[str, Curve],
    *,
    colours: Mapping[str, int],
    x_name: str,
    y_name: str,
    here: float | None = None,
    markers: bool = False,
    has_legend: bool = False,
    height: int = 300,
) -> go.Figure:
    """Return a line for each curve, from its sizes and values, both above 0.

    Curves that are one show in turns.

    Args:
        curves: by name, sizes and values.
        colours: each curve's number among the Okabe–Ito colours; curves of one number keep it on every figure.
        x_name: what the horizontal axis counts.
        y_name: what the vertical axis counts; written above the picture.
        here: a size to mark.
        markers: whether the values are measurements, each with a dot.
        has_legend: whether the names of the curves stand above the picture.
        height: in pixels.
    """
    figure = canvas(
        width=None,
        height=height,
        margin={"l": 52, "r": 24, "t": 48 if has_legend else 26, "b": 42},
        xaxis=number_axis(name=x_name, is_logarithmic=True) | POWERS_OF_FOUR,
        yaxis=number_axis(is_logarithmic=True),
        shapes=[] if here is None else [mark_at(here)],
        **name_above(y_name, has_legend=has_legend),
    )
    dashes = _dashes(curves)
    for name, (sizes, values) in curves.items():
        colour = OKABE_ITO[colours[name]]
        figure.add_scatter(
            x=np.asarray(sizes, dtype=np.float64),
            y=np.asarray(values, dtype=np.float64),
            mode="lines+markers" if markers else "lines",
            name=escape_plotly(name),
            line={"color": colour, "width": 2, "dash": dashes[name]},
            marker={"color": colour, "size": 6},
            hovertemplate=f"{escape_plotly(name)}<br>{escape_plotly(x_name)} %{{x}}: %{{y:.4~s}}<extra></extra>",
        )
    return figure


def _dashes(curves: Mapping[str, Curve]) -> dict[str, str]:
    """Return the dashes of each curve.

    Of curves that are one, each leaves gaps that show the ones before it.
    """
    same: dict[tuple[tuple[float, ...], ...], list[str]] = {}
    for name, (sizes, values) in curves.items():
        same.setdefault((tuple(sizes), tuple(values)), []).append(name)
    return {name: _striped(place, len(names)) for names in same.values() for place, name in enumerate(names)}


def _striped(place: int, n: int) -> str:
    return f"{_STRIPE * (n - place)}px,{_STRIPE * place}px" if place else "solid"
