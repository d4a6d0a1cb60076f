"""One measure of every head: a row a layer, a column a head, the number in each cell."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import SEQUENTIAL
from viz.base.numbers import signed
from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, label_pixels, labels_of
from viz.figures.cell_letters import cell_letters

_ROW, _HEAD = 34, 26
# Pixels of a column in which a number with its sign can be read.
_COLUMN = 34


def narrowest_measures(rows: Sequence[str], n_columns: int) -> int:
    """Return the pixels in which a grid of ``rows`` and ``n_columns`` can be read."""
    return label_pixels(rows) + _COLUMN * n_columns


def measure_grid(
    values: Float[np.ndarray, "row head"],
    *,
    rows: Sequence[str],
    hovers: Sequence[Sequence[str]],
    marked: tuple[int, int] | None,
    highest: float,
    columns: Sequence[str] | None = None,
    cells: Sequence[Sequence[str]] | None = None,
) -> go.Figure:
    """Return the grid.

    Args:
        values: the measure; NaN where it does not apply.
        rows: a label for each row, any text.
        hovers: the tooltip of each cell, any text.
        marked: row and column of the cell that stands in bold.
        highest: the value whose colour is the deepest.
        columns: a label for each column, any text; None for the numbers of the heads.
        cells: what stands in each cell, any text; None for the measure itself.
    """
    n_rows, n_heads = values.shape
    figure = canvas(
        width=None,
        height=_HEAD + _ROW * n_rows,
        margin={"l": label_pixels(rows), "t": _HEAD},
        xaxis=bare_axis(
            labels_of(columns or _numbers(n_heads)), np.arange(n_heads), side="top", range=[-0.5, n_heads - 0.5]
        ),
        yaxis=bare_axis(labels_of(rows), np.arange(n_rows), range=[n_rows - 0.5, -0.5]),
    )
    figure.add_heatmap(
        z=values,
        customdata=[[escape_plotly(text) for text in of_row] for of_row in hovers],
        hovertemplate="%{customdata}<extra></extra>",
        colorscale=SEQUENTIAL,
        zmin=0,
        zmax=highest,
        showscale=False,
        xgap=2,
        ygap=2,
    )
    texts = [
        _marked(text, (row, head) == marked)
        for row, of_row in enumerate(cells or [list(map(_number, of_row)) for of_row in values.tolist()])
        for head, text in enumerate(of_row)
    ]
    depths = np.clip(values / highest, 0, 1).ravel().tolist()
    at_rows, at_columns = (places.ravel() for places in np.indices(values.shape))
    figure.add_trace(cell_letters(texts, depths, columns=at_columns, rows=at_rows))
    return figure


def _numbers(n: int) -> list[str]:
    return [str(number) for number in range(1, n + 1)]


def _number(value: float) -> str:
    return "" if np.isnan(value) else signed(value)


def _marked(text: str, is_marked: bool) -> str:
    return f"<b><u>{escape_plotly(text)}</u></b>" if is_marked else escape_plotly(text)
