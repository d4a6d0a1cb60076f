"""Ranking of encodings: a bar for each name, the best on top, with a mark for published values."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from viz.base.colours import INK, MUTED
from viz.base.tokens import escape_plotly, shorten
from viz.figures.base import bare_axis, canvas, name_above, number_axis

_ROW, _TITLE, _LEGEND, _BOTTOM = 26, 26, 22, 24
_LEFT, _LONGEST = 12, 28
# Where the numbers end, right of the longest bar possible.
_NUMBERS = 1.21


def ranking(
    names: Sequence[str],
    ours: Sequence[float],
    *,
    colours: Sequence[str],
    x_name: str,
    legend: tuple[str, str],
    theirs: Mapping[str, float] | None = None,
    intervals: Mapping[str, tuple[float, float]] | None = None,
    hollow: Collection[str] = (),
) -> go.Figure:
    """Return a bar of ``ours``, from 0 to 1, for each of ``names``, from the top.

    Its number stands at the right.

    Args:
        names: any text.
        ours: a value for each.
        colours: a colour for each.
        x_name: what is shown.
        legend: what the bars and the marks are; there is none without marks.
        theirs: values by name to mark, where there are any.
        intervals: by name, the ends of a line over the end of its bar, where there is one.
        hollow: those of ``names`` whose bars are outlines alone.
    """
    marks = [(row, name, theirs[name]) for row, name in enumerate(names) if name in theirs] if theirs else []
    top = _TITLE + (_LEGEND if marks else 0)
    rows = np.arange(len(names))
    labels = [escape_plotly(shorten(name, _LONGEST)) for name in names]
    figure = canvas(
        width=None,
        height=top + _BOTTOM + _ROW * len(names),
        margin={"l": _LEFT, "r": 4, "t": top, "b": _BOTTOM},
        xaxis=number_axis() | {"range": [0, _NUMBERS], "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        yaxis=bare_axis(labels, rows, range=[len(names) - 0.4, -0.6], automargin="left"),
        bargap=0.3,
        barmode="overlay",
        **name_above(x_name, has_legend=bool(marks)),
    )
    figure.add_traces([_bars(names, ours, colours, hollow), _numbers(ours)])
    if intervals:
        figure.add_trace(_lines([(row, intervals[name]) for row, name in enumerate(names) if name in intervals]))
    if marks:
        figure.add_traces([_entry(legend[0]), _marks(marks, legend[1])])
    return figure


def _bars(names: Sequence[str], values: Sequence[float], colours: Sequence[str], hollow: Collection[str]) -> go.Bar:
    filled = ["rgba(0,0,0,0)" if name in hollow else colour for name, colour in zip(names, colours, strict=True)]
    return go.Bar(
        x=np.asarray(values, dtype=np.float32),
        y=np.arange(len(names)),
        orientation="h",
        showlegend=False,
        marker={"color": filled, "line": {"width": [2 * (name in hollow) for name in names], "color": list(colours)}},
        hovertemplate="%{customdata}: %{x:.3f}<extra></extra>",
        customdata=[escape_plotly(name) for name in names],
    )


def _numbers(values: Sequence[float]) -> go.Scatter:
    return go.Scatter(
        x=np.full(len(values), _NUMBERS),
        y=np.arange(len(values)),
        mode="text",
        text=[f"{value:.2f}" for value in values],
        textposition="middle left",
        textfont={"color": INK},
        showlegend=False,
        hoverinfo="skip",
    )


def _lines(rows: Sequence[tuple[int, tuple[float, float]]]) -> go.Scatter:
    """Return a line from end to end in each of ``rows``, one trace with gaps."""
    return go.Scatter(
        x=[end for _, (low, high) in rows for end in (low, high, None)],
        y=[place for row, _ in rows for place in (row, row, None)],
        mode="lines",
        line={"color": INK, "width": 2},
        showlegend=False,
        hoverinfo="skip",
    )


def _entry(name: str) -> go.Bar:
    """Return an entry of the legend in no bar's colour, since each has its own."""
    return go.Bar(x=[None], y=[None], orientation="h", name=escape_plotly(name), marker={"color": MUTED})


def _marks(marks: Sequence[tuple[int, str, float]], name: str) -> go.Scatter:
    rows, names, values = zip(*marks, strict=True)
    return go.Scatter(
        x=np.asarray(values, dtype=np.float32),
        y=rows,
        mode="markers",
        name=escape_plotly(name),
        marker={"symbol": "diamond-open", "size": 11, "color": INK, "line": {"width": 2}},
        hovertemplate=f"%{{customdata}}, {escape_plotly(name)}: %{{x:.3f}}<extra></extra>",
        customdata=[escape_plotly(label) for label in names],
    )
