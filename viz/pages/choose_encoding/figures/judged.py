"""Best encodings: a row for each name, a dot at its mean, and a line over its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from viz.base.colours import MUTED, OKABE_ITO
from viz.base.tokens import escape_plotly
from viz.pages.choose_encoding.figures.rows import row_canvas

_SYMBOLS = ("circle", "circle", "circle-open", "x-thin-open")


@dataclass(frozen=True)
class JudgedRow:
    """A row: a name, any text, its mean, its interval if any, its legend entry, and its tooltip."""

    name: str
    mean: float
    interval: tuple[float, float] | None
    kind: int
    tooltip: str


def judged(rows: Sequence[JudgedRow], *, x_name: str, legend: Sequence[str]) -> go.Figure:
    """Return the picture of ``rows``, the first on top; ``legend`` names the kinds of rows.

    Kind 0 is a full dot in colour, kind 1 a grey one, kind 2 an open one, kind 3 a cross.
    """
    ends = [end for row in rows for end in (row.mean, *(row.interval or ()))]
    figure = row_canvas([row.name for row in rows], ends, x_name=x_name)
    for kind, (symbol, name) in enumerate(zip(_SYMBOLS, legend, strict=True)):
        places = [place for place, row in enumerate(rows) if row.kind == kind]
        if places:
            figure.add_trace(_dots(rows, places, symbol=symbol, name=name, colour=MUTED if kind else OKABE_ITO[0]))
    return figure


def _dots(rows: Sequence[JudgedRow], places: Sequence[int], *, symbol: str, name: str, colour: str) -> go.Scatter:
    chosen = [rows[place] for place in places]
    intervals = [row.interval or (row.mean, row.mean) for row in chosen]
    return go.Scatter(
        x=np.array([row.mean for row in chosen], dtype=np.float32),
        y=list(places),
        mode="markers",
        name=escape_plotly(name),
        marker={"symbol": symbol, "size": 11, "color": colour, "line": {"width": 2, "color": colour}},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [high - row.mean for row, (_, high) in zip(chosen, intervals, strict=True)],
            "arrayminus": [row.mean - low for row, (low, _) in zip(chosen, intervals, strict=True)],
            "color": MUTED,
            "thickness": 1.5,
            "width": 4,
        },
        hovertemplate="%{customdata}<extra></extra>",
        customdata=[escape_plotly(row.tooltip) for row in chosen],
    )
