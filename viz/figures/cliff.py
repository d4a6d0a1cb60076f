"""Accuracy against length: a line for each encoding, a band and points for seeds, the end of training."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import MUTED, SURFACE, LineLook, band, faded, line_look
from viz.base.tokens import escape_plotly
from viz.figures.base import canvas, legend_below, level_at, mark_at, name_above, name_of_mark, number_axis, silent

_HEIGHT = 460
_SHARE = (-0.03, 1.03)
_POINT_OPACITY = 0.6
# So pale that what has a colour is seen first, and each line can still be followed.
_GREY_OPACITY = 0.4
BEHIND = "behind"
"""The legend's group of all grey lines; no line is called so."""
# Plotly's ranks begin at 1,000.
_LAST_IN_LEGEND = 1001
_TITLE, _MARK = 26, 18

# Of the lowest that a long legend leaves.
_PICTURE = 266
_LEGEND = legend_below(_PICTURE)
# A click shows an encoding alone.
_ALONE = {"itemclick": "toggleothers", "itemdoubleclick": "toggle"}
# Where the grey lines have an entry, a click there takes them away, and another one brings them back.
_EACH = {"itemclick": "toggle", "itemdoubleclick": "toggleothers"}


@dataclass(frozen=True)
class Seeds:
    """Accuracies of one encoding's seeds at each length, from 0 to 1; NaN where a seed was not measured.

    ``number`` is the encoding's place in the fixed order of looks.
    """

    lengths: Sequence[float]
    values: Float[np.ndarray, "seed length"]
    number: int

    @property
    def look(self) -> LineLook:
        """Its look in colour."""
        return line_look(self.number)


def grey_look() -> LineLook:
    """Return how an encoding is drawn that is behind the others."""
    return LineLook(faded(MUTED, _GREY_OPACITY), "solid")


def cliff(
    encodings: Mapping[str, Seeds],
    *,
    longest_trained: int | None,
    x_name: str,
    y_name: str,
    marked: str,
    level: tuple[str, float] | None = None,
    y_range: tuple[float, float] | None = _SHARE,
    height: int = _HEIGHT,
    quiet: Collection[str] = (),
    others: str = "",
) -> go.Figure:
    """Return the picture of ``encodings`` by name; the pointer tells the nearest line and its value.

    Args:
        encodings: their seeds, by name, any text.
        longest_trained: the longest input trained on; None for no mark.
        x_name: what the length counts.
        y_name: what is measured.
        marked: what is written where training ended.
        level: what all are seen against, and its name; None for none.
        y_range: of the vertical axis, which is of shares unless another is given; None for one that fits.
        height: in pixels.
        quiet: names of those that are thin grey lines behind the coloured ones.
        others: what the legend calls all of these together; a click there hides them.
    """
    figure = canvas(
        width=None,
        height=height,
        margin={"l": 52, "r": 12, "t": _TITLE + _MARK, "b": 42},
        hovermode="closest",
        hoverdistance=40,
        xaxis=number_axis(name=x_name),
        yaxis=number_axis() | ({} if y_range is None else {"range": list(y_range)}),
        shapes=[
            *([] if longest_trained is None else [mark_at(longest_trained)]),
            *([] if level is None else [level_at(level[1])]),
        ],
        annotations=[
            *([] if longest_trained is None else [name_of_mark(marked, longest_trained)]),
            *([] if level is None else [_named(*level)]),
        ],
        **name_above(y_name, has_legend=True) | {"legend": _LEGEND | (_EACH if quiet else _ALONE)},
    )
    behind = [_grey_line(name, seeds) for name, seeds in encodings.items() if name in quiet]
    coloured = [
        trace
        for name, seeds in encodings.items()
        if name not in quiet
        for trace in (*_band(name, seeds), _points(name, seeds), _line(name, seeds))
    ]
    return figure.add_traces([*behind, *coloured, *([grey_entry(others)] if behind else [])])


def _grey_line(name: str, seeds: Seeds) -> go.Scatter:
    """Return a line without an entry of its own in the legend."""
    return _line(name, seeds).update(
        line=grey_line(),
        showlegend=False,
        legendgroup=BEHIND,
        # Pointed at, it has the colour that it has wherever it is chosen.
        hoverlabel={"bordercolor": seeds.look.colour},
    )


def grey_entry(name: str) -> go.Scatter:
    """Return the legend's entry of all grey lines, which is no line itself."""
    return go.Scatter(
        x=[None],
        y=[None],
        mode="lines",
        name=escape_plotly(name),
        legendgroup=BEHIND,
        legendrank=_LAST_IN_LEGEND,
        line=grey_line(),
    )


def grey_line() -> dict[str, Any]:
    """Return how Plotly draws the line of an encoding that is behind the others."""
    return {"color": grey_look().colour, "width": 1, "dash": "solid"}


def _line(name: str, seeds: Seeds) -> go.Scatter:
    return go.Scatter(
        x=_lengths(seeds),
        y=np.nanmean(seeds.values, axis=0).astype(np.float32),
        # A single length makes no line, and its points are small.
        mode="lines" if len(seeds.lengths) > 1 else "markers",
        marker={"color": seeds.look.colour, "size": 10},
        name=escape_plotly(name),
        legendgroup=escape_plotly(name),
        hovertemplate="<b>%{fullData.name}</b><br>%{x}: %{y:.2f}<extra></extra>",
        line={"color": seeds.look.colour, "width": 2, "dash": seeds.look.dash},
    )


def _points(name: str, seeds: Seeds) -> go.Scatter:
    return silent(
        name,
        x=np.tile(_lengths(seeds), len(seeds.values)),
        y=seeds.values.ravel().astype(np.float32),  # [seed · length]
        mode="markers",
        marker={"color": seeds.look.colour, "size": 4, "opacity": _POINT_OPACITY},
    )


def _band(name: str, seeds: Seeds) -> list[go.Scatter]:
    """Return what fills the space from the worst seed to the best; nothing for a single one."""
    if len(seeds.values) == 1:
        return []
    low, high = np.nanmin(seeds.values, axis=0), np.nanmax(seeds.values, axis=0)
    around = np.concatenate([_lengths(seeds), _lengths(seeds)[::-1]])
    edge = np.concatenate([high, low[::-1]]).astype(np.float32)
    return [
        silent(
            name,
            x=around,
            y=edge,
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillcolor=band(seeds.look.colour),
        )
    ]


def _lengths(seeds: Seeds) -> Float[np.ndarray, " length"]:
    return np.asarray(seeds.lengths, dtype=np.float32)


def _named(text: str, value: float) -> dict[str, Any]:
    above = {"x": 1, "xref": "x domain", "xanchor": "right", "yanchor": "bottom", "yshift": 2}
    # Lines run under it.
    return {"y": value, "text": escape_plotly(text), "showarrow": False, "bgcolor": SURFACE, **above}
