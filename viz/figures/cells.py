"""Cells around zero: a map in two colours, the numbers of its largest cells, and what is told of each."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import DIVERGING
from viz.base.numbers import signed
from viz.base.tokens import escape_plotly
from viz.figures.cell_letters import cell_letters


def add_cells(
    figure: go.Figure,
    values: Float[np.ndarray, "row column"],
    hovers: Sequence[Sequence[str]],
    *,
    largest: float,
    gap: int,
) -> None:
    """Draw ``values``, deepest at ``largest``, with ``gap`` pixels between rows; NaN leaves a hole."""
    figure.add_heatmap(
        z=values.astype(np.float32),
        customdata=[[hover_lines(text) for text in row] for row in hovers],
        hovertemplate="%{customdata}<extra></extra>",
        hoverongaps=False,
        colorscale=DIVERGING,
        zmin=-largest,
        zmax=largest,
        showscale=False,
        xgap=2,
        ygap=gap,
    )


def add_numbers(
    figure: go.Figure,
    values: Float[np.ndarray, "row column"],
    depths: Float[np.ndarray, "row column"],
    *,
    written: float,
    places: int,
) -> None:
    """Write the ``values`` of cells whose depth, from −1 to 1, is ``written`` or more."""
    rows, columns = np.nonzero(np.abs(depths) >= written)
    texts = [signed(value, places) for value in values[rows, columns].tolist()]
    figure.add_trace(cell_letters(texts, depths[rows, columns].tolist(), columns=columns, rows=rows))


def hover_lines(text: str) -> str:
    """Return a text of several lines as Plotly tells it where the pointer is."""
    return escape_plotly(text).replace("\n", "<br>")
