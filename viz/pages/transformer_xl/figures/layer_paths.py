"""Effect of a change through each layer's memory: by itself, and the rest without it."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import INK
from viz.figures.bars import bars


def layer_paths(layers: Sequence[str], shares: Mapping[str, Float[np.ndarray, " layer"]], *, y_name: str) -> go.Figure:
    """Return bars for each layer, and a line at 1, which is the whole change.

    Args:
        layers: a label for each.
        shares: of the whole change, by what they are, any text.
        y_name: what the bars measure.
    """
    figure = bars(layers, shares, y_name=y_name)
    line = {"color": INK, "width": 1, "dash": "dot"}
    figure.update_layout(
        # A few names, which have room side by side.
        xaxis_tickangle=0,
        margin_b=24,
        yaxis_tickformat=".0%",
        shapes=[{"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": 1, "y1": 1, "line": line}],
    )
    highest = max(1.0, *(float(values.max()) for values in shares.values()))
    figure.update_yaxes(range=[0, 1.08 * highest])
    return figure
