"""Means by distance back, a row for each head, of attention or of a score term.

As in Dai et al. 2019, appendix D.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.colours import DIVERGING, MUTED, SEQUENTIAL, Scale
from viz.base.tokens import escape_plotly
from viz.figures.base import canvas

_ROW = 11
_TOP, _BOTTOM = 6, 40
_FAINTEST = -4.0
"""Mean weights are drawn from 10 to this power on; nearly all of them are far below the largest."""
# Shares of the numbers beyond which the deepest colour is used: a few near distances are far above all others.
_CLIPPED = 0.01


@dataclass(frozen=True)
class Words:
    """Labels; ``hover`` has the fields row, distance and value, and ``rows`` are distinct."""

    rows: Sequence[str]
    layers: Sequence[str]
    x_name: str
    hover: str


def attention_by_distance(means: Float32[np.ndarray, "layer head distance"], words: Words) -> go.Figure:
    """Return mean weights, on a logarithmic scale from a ten thousandth to 1."""
    ticks = np.arange(_FAINTEST, 1)
    bar = {"tickvals": ticks, "ticktext": [f"{10**tick:g}" for tick in ticks]}
    with np.errstate(divide="ignore"):
        drawn = np.maximum(np.log10(means), _FAINTEST)
    return _map(drawn, means, words, scale=SEQUENTIAL, limits=(_FAINTEST, 0), bar=bar)


def term_by_distance(means: Float32[np.ndarray, "layer head distance"], words: Words) -> go.Figure:
    """Return means of a term, on its own scale: one in a hundred of the numbers may lie beyond its ends."""
    deepest = float(np.quantile(np.abs(means), 1 - _CLIPPED)) or 1.0
    return _map(means, means, words, scale=DIVERGING, limits=(-deepest, deepest), bar={"nticks": 5})


def _map(
    drawn: Float32[np.ndarray, "layer head distance"],
    numbers: Float32[np.ndarray, "layer head distance"],
    words: Words,
    *,
    scale: Scale,
    limits: tuple[float, float],
    bar: dict[str, Any],
) -> go.Figure:
    n_layers, n_heads, n_distances = drawn.shape
    ticks = {"color": MUTED, "size": 13}
    middles = (np.arange(n_layers) + 0.5) * n_heads - 0.5
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True, "ticks": "", "tickfont": ticks}
    figure = canvas(
        width=None,
        height=n_layers * n_heads * _ROW + _TOP + _BOTTOM,
        margin={"l": 62, "r": 58, "t": _TOP, "b": _BOTTOM},
        xaxis=bare
        | {"title": {"text": escape_plotly(words.x_name), "standoff": 6}, "range": [-0.5, n_distances - 0.5]},
        yaxis=bare
        | {
            "tickvals": middles,
            "ticktext": [escape_plotly(layer) for layer in words.layers],
            "range": [n_layers * n_heads - 0.5, -0.5],
        },
        shapes=[_line(layer * n_heads - 0.5) for layer in range(1, n_layers)],
    )
    hover = escape_plotly(words.hover).format(row="%{y}", distance="%{x}", value="%{customdata:.4g}")
    figure.add_heatmap(
        z=_flat(drawn),
        customdata=_flat(numbers),
        y=[escape_plotly(row) for row in words.rows],
        zmin=limits[0],
        zmax=limits[1],
        colorscale=scale,
        hovertemplate=f"{hover}<extra></extra>",
        colorbar={"thickness": 8, "xpad": 8, "ypad": 0, "outlinewidth": 0.5, "outlinecolor": MUTED}
        | {"tickfont": ticks, **bar},
    )
    return figure


def _flat(values: Float32[np.ndarray, "layer head distance"]) -> Float32[np.ndarray, "row distance"]:
    return np.ascontiguousarray(values.reshape(-1, values.shape[-1]), dtype=np.float32)  # [layer · head, distance]


def _line(y: float) -> dict[str, Any]:
    line = {"color": MUTED, "width": 1}
    return {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": y, "y1": y, "line": line}
