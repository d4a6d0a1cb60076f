"""Accuracy against length of one model, before and after something was changed in it."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from viz.base.colours import HUE, INK, SURFACE, faded
from viz.base.tokens import escape_plotly
from viz.pages.length_generalization.figures.against_length import LengthAxes, against_length

_FAINT = 0.12


def before_after(
    before: Mapping[int, float],
    after: Mapping[int, float],
    *,
    names: tuple[str, str],
    colour: str,
    axes: LengthAxes,
) -> go.Figure:
    """Return two lines, and what lies between them shaded; ``after`` may be empty, which leaves one.

    Args:
        before: of 1, by length.
        after: the same, with points.
        names: of both, any text.
        colour: of the first line; the second has that of the page's letters.
        axes: of the picture.
    """
    figure = against_length(axes)
    # A filled line would turn the order round.
    figure.update_layout(legend_traceorder="normal")
    _add(figure, before, names[0], mode="lines", line={"color": colour, "width": 3})
    if after:
        marker = {"size": 7, "color": SURFACE, "line": {"width": 1.5, "color": INK}}
        line = {"color": INK, "width": 1.5, "dash": "dash"}
        style = {
            "mode": "lines+markers",
            "line": line,
            "marker": marker,
            "fill": "tonexty",
            "fillcolor": faded(HUE, _FAINT),
        }
        _add(figure, after, names[1], **style)
    return figure


def _add(figure: go.Figure, values: Mapping[int, float], name: str, **style: object) -> None:
    figure.add_scatter(
        x=np.array(list(values), dtype=np.float32),
        y=np.array(list(values.values()), dtype=np.float32),
        name=escape_plotly(name),
        hovertemplate="%{y:.2f}",
        **style,
    )
