"""Spread of a change of one character: the difference in each layer at every later character."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32

from viz.base.colours import INK, MUTED, SEQUENTIAL
from viz.base.tokens import escape_plotly
from viz.figures.base import canvas

FAINTEST = 1e-6
_DECADE_STEP = 2
_ROW = 30


def spread_map(
    spread: Float32[np.ndarray, "layer position"],
    characters: Sequence[str],
    borders: Sequence[int],
    *,
    x_name: str,
    y_name: str,
    hover: str,
) -> go.Figure:
    """Return a row for each layer, the first at the bottom, and a column for each character.

    The columns begin with the changed character.

    Args:
        spread: relative differences; what is 0 is the page's own surface.
        characters: a label for each column, any text.
        borders: columns that a segment begins with; the last is that of the segment being read.
        x_name: what the columns count.
        y_name: what the rows are.
        hover: what is template of the cell under the pointer, with ``{layer}``, ``{character}``, ``{distance}`` and
            ``{value}``.
    """
    n_layers, n_columns = spread.shape
    drawn = np.where(spread > 0, np.log10(np.maximum(spread, FAINTEST)), np.nan).astype(np.float32)
    lowest = math.log10(FAINTEST)
    axis = {"showgrid": False, "zeroline": False, "fixedrange": True, "tickfont": {"color": MUTED, "size": 13}}
    figure = canvas(
        width=None,
        height=50 + _ROW * n_layers,
        margin={"l": 40, "r": 54, "t": 6, "b": 42},
        xaxis=axis | {"title": {"text": escape_plotly(x_name), "standoff": 6}, "range": [-0.5, n_columns - 0.5]},
        yaxis=axis
        | {"title": {"text": escape_plotly(y_name), "standoff": 4}, "range": [0.5, n_layers + 0.5], "dtick": 1},
        shapes=[_border(at, is_last=at == borders[-1]) for at in borders],
    )
    labels = np.tile(np.array([escape_plotly(one) for one in characters], dtype=object), (n_layers, 1))
    template = escape_plotly(hover).format(
        layer="%{y}", distance="%{x}", character="%{text}", value="%{customdata:.2g}"
    )
    figure.add_heatmap(
        z=drawn,
        y=np.arange(1, n_layers + 1),
        customdata=spread,
        text=labels,
        zmin=lowest,
        zmax=0,
        colorscale=SEQUENTIAL,
        hovertemplate=template + "<extra></extra>",
        hoverongaps=False,
        colorbar=_colour_bar(),
    )
    return figure


def _colour_bar() -> dict[str, object]:
    powers = list(range(round(math.log10(FAINTEST)), 1, _DECADE_STEP))
    bar: dict[str, object] = {"thickness": 7, "xpad": 6, "ypad": 0, "outlinewidth": 0.5, "outlinecolor": MUTED}
    bar |= {"tickvals": powers, "ticktext": [f"10<sup>{power}</sup>" if power else "1" for power in powers]}
    return bar | {"tickfont": {"color": MUTED, "size": 13}}


def _border(at: int, *, is_last: bool) -> dict[str, object]:
    line = {"color": INK if is_last else MUTED, "width": 1.5 if is_last else 0.75, "dash": "dot"}
    return {"type": "line", "x0": at - 0.5, "x1": at - 0.5, "y0": 0, "y1": 1, "yref": "y domain", "line": line}
