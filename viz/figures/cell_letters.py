"""Letters on coloured cells, in the ink that can be read on each."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Num

from viz.base.colours import letters_on


def cell_letters(
    texts: Sequence[str],
    depths: Sequence[float],
    *,
    columns: Num[np.ndarray, " text"],
    rows: Num[np.ndarray, " text"],
    **more: Any,
) -> go.Scatter:
    """Return a trace with a text for each of some cells.

    Args:
        texts: as Plotly reads them, so of users' texts escaped ones.
        depths: of the cells, from −1 to 1; what is not a number has no colour.
        columns: where each text stands, along the horizontal axis.
        rows: the same along the vertical one.
        more: of the trace.
    """
    inks = [letters_on(0 if np.isnan(depth) else depth) for depth in depths]
    font = {"size": 13, "color": inks}
    return go.Scatter(x=columns, y=rows, text=list(texts), mode="text", textfont=font, hoverinfo="skip", **more)
