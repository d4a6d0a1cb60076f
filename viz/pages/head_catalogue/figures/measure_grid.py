"""One measure of every head: a row a layer, a column a head, the number in each cell."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import Theme, sequential
from viz.base.numbers import signed
from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, label_pixels, labels_of

_ROW, _HEAD = 34, 26
# Above 1: the deepest cell stays pale enough for letters in the page's ink.
_SCALE_END = 1.8


def measure_grid(
    values: Float[np.ndarray, "row head"],
    *,
    rows: Sequence[str],
    hovers: Sequence[Sequence[str]],
    marked: tuple[int, int] | None,
    highest: float,
    theme: Theme,
    columns: Sequence[str] | None = None,
    cells: Sequence[Sequence[str]] | None = None,
) -> go.Figure:
    """Return the grid.

    Args:
        values: the measure; NaN where it does not apply.
        rows: a label for each row, any text.
        hovers: what is told where the pointer is, any text.
        marked: row and column of the cell that stands in bold.
        highest: the value whose colour is the deepest.
        theme: light or dark.
        columns: a label for each column, any text; None for the numbers of the heads.
        cells: what stands in each cell, any text; None for the measure itself.
    """
    n_rows, n_heads = values.shape
    figure = canvas(
        theme,
        width=None,
        height=_HEAD + _ROW * n_rows,
        margin={"l": label_pixels(rows), "t": _HEAD},
        xaxis=bare_axis(labels_of(columns or _numbers(n_heads)), np.arange(n_heads), side="top"),
        yaxis=bare_axis(labels_of(rows), np.arange(n_rows), autorange="reversed"),
    )
    figure.add_heatmap(
        z=values,
        text=[
            [_marked(text, (row, head) == marked) for head, text in enumerate(of_row)]
            for row, of_row in enumerate(cells or [list(map(_number, of_row)) for of_row in values.tolist()])
        ],
        texttemplate="%{text}",
        textfont={"color": figure.layout.font.color, "size": 13},
        customdata=[[escape_plotly(text) for text in of_row] for of_row in hovers],
        hovertemplate="%{customdata}<extra></extra>",
        colorscale=sequential(theme),
        zmin=0,
        zmax=_SCALE_END * highest,
        showscale=False,
        xgap=2,
        ygap=2,
    )
    return figure


def _numbers(n: int) -> list[str]:
    return [str(number) for number in range(1, n + 1)]


def _number(value: float) -> str:
    return "" if np.isnan(value) else signed(value)


def _marked(text: str, is_marked: bool) -> str:
    return f"<b><u>{escape_plotly(text)}</u></b>" if is_marked else escape_plotly(text)
