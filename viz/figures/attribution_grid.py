"""Contribution of every part to a token: a row for each block with its heads, and the running sum.

A bar begins where the one above it ends. The last two rows are the sum, and what the model itself says.
"""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import HUE, LINE, MUTED, OPPOSITE
from viz.base.numbers import signed
from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, label_pixels, labels_of
from viz.figures.cells import add_cells, add_numbers, hover_lines

_ROW, _HEAD = 30, 24
# Of the width: where the cells end, and where the bars begin and end; the numbers of the bars stand right of them.
_CELLS, _BARS = (0.0, 0.5), (0.54, 0.87)
# Of the largest cell: smaller ones have no number.
_WRITTEN = 0.3


def attribution_grid(
    heads: Float[np.ndarray, "row head"],
    totals: Float[np.ndarray, " row"],
    *,
    names: Sequence[str],
    sums: Sequence[tuple[str, float]],
    head_hovers: Sequence[Sequence[str]],
    row_hovers: Sequence[str],
    headings: tuple[str, str],
) -> go.Figure:
    """Return the picture.

    Args:
        heads: what each head says; not a number where a row has none.
        totals: what each row says.
        names: a label for each row, different ones.
        sums: a label and a value for each row below them, drawn from 0.
        head_hovers: the tooltip of each cell, any text.
        row_hovers: the tooltip of each bar, those of the sums too, any text.
        headings: over the cells and over the bars.
    """
    n_rows, n_heads = heads.shape
    largest = float(np.nanmax(np.abs(heads)))
    ends = np.cumsum(totals)
    starts = np.concatenate([ends - totals, np.zeros(len(sums))])
    lengths = np.concatenate([totals, [value for _, value in sums]])
    labels = [*names, *(name for name, _ in sums)]
    figure = canvas(
        width=None,
        height=2 * _HEAD + _ROW * len(labels),
        margin={"l": label_pixels(labels), "t": 2 * _HEAD},
        barmode="overlay",
        bargap=0.35,
        xaxis=bare_axis([str(head + 1) for head in range(n_heads)], np.arange(n_heads), side="top", domain=_CELLS),
        xaxis2=bare_axis([], [], domain=_BARS, zeroline=True, zerolinecolor=MUTED),
        yaxis=bare_axis(labels_of(labels), np.arange(len(labels)), range=[len(labels) - 0.5, -0.5]),
    )
    add_cells(figure, heads, head_hovers, largest=largest, gap=4)
    add_numbers(figure, heads, heads / largest, written=_WRITTEN, places=1)
    figure.add_bar(
        orientation="h",
        x=lengths,
        base=starts,
        y=np.arange(len(labels)),
        xaxis="x2",
        marker={"color": [_colour(value) for value in lengths], "line": {"width": 0}},
        customdata=[hover_lines(text) for text in row_hovers],
        hovertemplate="%{customdata}<extra></extra>",
    )
    for place, value in enumerate(lengths.tolist()):
        weight = "<b>{}</b>" if place >= n_rows else "{}"
        figure.add_annotation(
            text=weight.format(signed(value)), x=1, xref="paper", xanchor="right", y=place, showarrow=False
        )
    over = {"xref": "paper", "xanchor": "left", "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": _HEAD}
    for text, (left, _) in zip(headings, (_CELLS, _BARS), strict=True):
        figure.add_annotation(text=escape_plotly(text), x=left, showarrow=False, **over)
    line = {"width": 1, "color": LINE}
    figure.add_shape(type="line", x0=0, x1=1, xref="paper", y0=n_rows - 0.5, y1=n_rows - 0.5, line=line)
    return figure


def _colour(value: float) -> str:
    return OPPOSITE if value < 0 else HUE
