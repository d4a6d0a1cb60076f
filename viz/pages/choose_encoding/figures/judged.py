"""Who is best: a row for each name, a dot at its mean, and a line over its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from viz.base.colours import OKABE_ITO, PALETTES, Theme
from viz.base.tokens import escape_plotly, shorten
from viz.figures.base import bare_axis, canvas, name_above, number_axis

_ROW, _TITLE, _LEGEND, _BOTTOM = 24, 26, 22, 24
_GAP, _LONGEST = 12, 28
_ROOM = 0.05
_SYMBOLS = ("circle", "circle", "circle-open", "x-thin-open")


@dataclass(frozen=True)
class Row:
    """A name, any text; its mean; its interval, if it has one; which entry of the legend it is; the words for it."""

    name: str
    mean: float
    interval: tuple[float, float] | None
    kind: int
    said: str


def judged(rows: Sequence[Row], *, theme: Theme, x_name: str, legend: Sequence[str]) -> go.Figure:
    """Return the picture of ``rows``, the first on top; ``legend`` names the kinds of rows.

    Kind 0 is a full dot in colour, kind 1 a grey one, kind 2 an open one, kind 3 a cross.
    """
    names = [shorten(row.name, _LONGEST) for row in rows]
    ends = [end for row in rows for end in (row.mean, *(row.interval or ()))]
    room = _ROOM * ((max(ends) - min(ends)) or 1)
    figure = canvas(
        theme,
        width=None,
        height=_TITLE + _LEGEND + _BOTTOM + _ROW * len(rows),
        margin={"l": _GAP, "r": 8, "t": _TITLE + _LEGEND, "b": _BOTTOM},
        xaxis=number_axis(theme) | {"range": [min(ends) - room, max(ends) + room]},
        yaxis=bare_axis(
            [escape_plotly(name) for name in names],
            np.arange(len(rows)),
            range=[len(rows) - 0.4, -0.6],
            automargin="left",
        ),
        **name_above(x_name, has_legend=True),
    )
    for kind, (symbol, name) in enumerate(zip(_SYMBOLS, legend, strict=True)):
        places = [place for place, row in enumerate(rows) if row.kind == kind]
        if places:
            figure.add_trace(
                _dots(
                    rows,
                    places,
                    symbol=symbol,
                    name=name,
                    colour=PALETTES[theme].muted if kind else OKABE_ITO[0],
                    theme=theme,
                )
            )
    return figure


def _dots(
    rows: Sequence[Row], places: Sequence[int], *, symbol: str, name: str, colour: str, theme: Theme
) -> go.Scatter:
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
            "color": PALETTES[theme].muted,
            "thickness": 1.5,
            "width": 4,
        },
        hovertemplate="%{customdata}<extra></extra>",
        customdata=[escape_plotly(row.said) for row in chosen],
    )
