"""Differences from a base: a row for each change, a point for each seed, and a published mark."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz.base.colours import INK, LINE, OKABE_ITO
from viz.base.numbers import signed
from viz.base.tokens import escape_plotly, shorten
from viz.base.words import listed
from viz.figures.base import bare_axis, canvas, mark_at, name_above, number_axis, text_pixels

_ROW, _TITLE, _LEGEND, _BOTTOM = 20, 26, 22, 24
_GAP, _LONGEST = 12, 24
_FEWEST = 7
"""Rows that the picture has room for, at least: a lower one has none for its legend on a phone."""
_LOWEST = -5.5
"""Differences below it stand at the edge, with their number: else one of −30 would press all others together."""
# Of the last, a phone has just enough for an arrow with its number.
_ROOM, _SHARE_OF_ROOM, _ROOM_OF_ARROW = 0.3, 0.04, 1.7
_STEPS, _MAX_TICKS = (0.5, 1, 2, 5, 10, 20, 50), 6


@dataclass(frozen=True)
class Differences:
    """A row: a name, any text; a value for each seed; and the published value, if any."""

    name: str
    by_seed: Mapping[int, float]
    theirs: float | None


def differences(
    rows: Sequence[Differences],
    *,
    x_name: str,
    legend: tuple[str, str, str],
    band: tuple[float, float] | None = None,
    lowest: float = _LOWEST,
) -> go.Figure:
    """Return the picture of ``rows``, the first one on top.

    ``legend`` names a seed, the seeds' mean and the others.

    A value below ``lowest`` stands at the left edge, as an arrow with its number. Behind all rows lies a ``band``
    between two values.
    """
    values = [value for row in rows for value in (*row.by_seed.values(), *_known(row.theirs))]
    near = [0.0, *(value for value in values if value >= lowest)]
    room = max(_ROOM, _SHARE_OF_ROOM * (max(near) - min(near)))
    low, high = min(near) - room - (_ROOM_OF_ARROW if min(values, default=0.0) < lowest else 0), max(near) + room
    names = [shorten(row.name, _LONGEST) for row in rows]
    figure = canvas(
        width=None,
        height=_TITLE + _LEGEND + _BOTTOM + _ROW * max(len(rows), _FEWEST),
        margin={"l": _GAP + round(max(map(text_pixels, names))), "r": 8, "t": _TITLE + _LEGEND, "b": _BOTTOM},
        # Where arrows stand is no part of the scale.
        xaxis=number_axis() | {"range": [low, high], "tickvals": _ticks(min(near), high)},
        yaxis=bare_axis([escape_plotly(name) for name in names], np.arange(len(rows)), range=[len(rows) - 0.4, -0.6]),
        shapes=[*_band(band), mark_at(0)],
        **_name_above(x_name),
    )
    seeds = [(place, row, seed, value) for place, row in enumerate(rows) for seed, value in row.by_seed.items()]
    means = [(place, row, float(np.mean([*row.by_seed.values()]))) for place, row in enumerate(rows) if row.by_seed]
    theirs = [(place, row, value) for place, row in enumerate(rows) for value in _known(row.theirs)]
    seed_name, mean_name, other_name = legend
    shown = [(place, row, value, f"{seed_name} {seed}") for place, row, seed, value in seeds if value >= lowest]
    small = {"size": 6, "color": OKABE_ITO[0], "opacity": 0.8}
    figure.add_trace(_points(shown, seed_name, small))
    shown = [(place, row, value, mean_name) for place, row, value in means if value >= lowest]
    bar = {"symbol": "line-ns", "size": 12, "line": {"width": 3, "color": OKABE_ITO[0]}}
    figure.add_trace(_points(shown, mean_name, bar))
    open_diamond = {"symbol": "diamond-open", "size": 9, "color": INK, "line": {"width": 2}}
    figure.add_trace(_points([(*entry, other_name) for entry in theirs], other_name, open_diamond))
    figure.add_trace(
        _far([(place, row) for place, row in enumerate(rows) if _far_seeds(row, lowest)], lowest, low + room / 2)
    )
    return figure


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers from ``low`` to ``high``, few of them."""
    step = next((step for step in _STEPS if (high - low) / step <= _MAX_TICKS), _STEPS[-1])
    return [step * number for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _band(band: tuple[float, float] | None) -> list[dict[str, Any]]:
    if band is None:
        return []
    low, high = band
    fill = {"fillcolor": LINE, "opacity": 0.5, "line": {"width": 0}, "layer": "below"}
    return [{"type": "rect", "x0": low, "x1": high, "y0": 0, "y1": 1, "yref": "y domain", **fill}]


def _name_above(x_name: str) -> dict[str, Any]:
    """Return the name and the legend above.

    The name begins over the labels, since a phone has no room beside them.
    """
    above = name_above(x_name, has_legend=True)
    return above | {"title": above["title"] | {"xref": "container"}}


def _points(shown: Sequence[tuple[int, Differences, float, str]], name: str, marker: dict[str, Any]) -> go.Scatter:
    return go.Scatter(
        x=np.array([value for _, _, value, _ in shown], dtype=np.float32),
        y=[place for place, *_ in shown],
        mode="markers",
        name=escape_plotly(name),
        marker=marker,
        hovertemplate="%{customdata}<extra></extra>",
        customdata=[escape_plotly(f"{row.name}, {what}: {signed(value)}") for _, row, value, what in shown],
    )


def _far(shown: Sequence[tuple[int, Differences]], lowest: float, edge: float) -> go.Scatter:
    """Return an arrow at the edge for each row with seeds beyond it.

    It has the mean, or the seeds if that is inside.
    """
    return go.Scatter(
        x=[edge] * len(shown),
        y=[place for place, _ in shown],
        mode="markers+text",
        marker={"symbol": "triangle-left", "size": 10, "color": OKABE_ITO[0]},
        text=[_far_text(row, lowest) for _, row in shown],
        textposition="middle right",
        showlegend=False,
        hovertemplate="%{customdata}<extra></extra>",
        customdata=[escape_plotly(f"{row.name}: {listed(map(signed, _far_seeds(row, lowest)))}") for _, row in shown],
    )


def _far_seeds(row: Differences, lowest: float) -> tuple[float, ...]:
    return tuple(value for value in row.by_seed.values() if value < lowest)


def _far_text(row: Differences, lowest: float) -> str:
    mean = float(np.mean([*row.by_seed.values()]))
    return signed(mean, 1) if mean < lowest else listed(signed(value, 1) for value in _far_seeds(row, lowest))


def _known(value: float | None) -> tuple[float, ...]:
    return () if value is None else (value,)
