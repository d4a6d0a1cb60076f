"""Accuracy against length during training: a line for each snapshot, the later the darker."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import HUE, faded
from viz.base.tokens import escape_plotly
from viz.figures.base import silent
from viz.pages.length_generalization.figures.against_length import LengthAxes, against_length

_FAINTEST = 0.25
_DASHES = ("dot", "dashdot", "dash", "solid")


def snapshots(
    lengths: Sequence[int],
    names: Sequence[str],
    values: Float[np.ndarray, "seed snapshot length"],
    *,
    axes: LengthAxes,
) -> go.Figure:
    """Return a line through the means of the seeds for each snapshot, and a point for each seed.

    Args:
        lengths: that were measured.
        names: of the snapshots, the earliest first, any text.
        values: of 1; NaN where nothing was measured.
        axes: of the picture.
    """
    figure = against_length(axes)
    x = np.asarray(lengths, dtype=np.float32)
    for place, name in enumerate(names):
        colour = _colour(place, len(names))
        label = escape_plotly(name)
        figure.add_trace(
            silent(
                name,
                x=np.tile(x, len(values)),
                y=values[:, place].ravel().astype(np.float32),  # [seed · length]
                mode="markers",
                marker={"color": colour, "size": 5},
            )
        )
        figure.add_scatter(
            x=x,
            y=_mean(values[:, place]),
            mode="lines",
            name=label,
            legendgroup=label,
            line={"color": colour, "width": 2, "dash": _DASHES[-1 - (len(names) - 1 - place) % len(_DASHES)]},
            hovertemplate="%{y:.2f}",
        )
    return figure


def _mean(values: Float[np.ndarray, "seed length"]) -> Float[np.ndarray, " length"]:
    measured = ~np.isnan(values)
    count = measured.sum(axis=0)
    total = np.where(measured, values, 0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan).astype(np.float32)


def _colour(place: int, n: int) -> str:
    return faded(HUE, _FAINTEST + (1 - _FAINTEST) * (place + 1) / n)
