"""Two encodings against each other and the best other: a row for each task, a mark for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from viz.base.colours import INK, LineLook
from viz.base.tokens import escape_plotly
from viz.pages.choose_encoding.figures.rows import row_canvas


@dataclass(frozen=True)
class DuelMark:
    """A value of a row, and its tooltip."""

    value: float
    tooltip: str


def duel(
    rows: Sequence[str],
    marks: Mapping[str, Sequence[DuelMark | None]],
    *,
    looks: Mapping[str, LineLook],
    x_name: str,
) -> go.Figure:
    """Return the picture of ``rows``, any text, the first on top, with the ``marks`` of each name.

    None is no mark.

    ``looks`` are the colours by name; a name without one is drawn in the colour of text.
    """
    values = [mark.value for row in marks.values() for mark in row if mark is not None]
    figure = row_canvas(rows, [0, *values], x_name=x_name)
    for (name, row), symbol in zip(marks.items(), ("circle", "square", "diamond"), strict=False):
        drawn = [(place, mark) for place, mark in enumerate(row) if mark is not None]
        colour = looks[name].colour if name in looks else INK
        figure.add_trace(
            go.Scatter(
                x=np.array([mark.value for _, mark in drawn], dtype=np.float32),
                y=[place for place, _ in drawn],
                mode="markers",
                name=escape_plotly(name),
                marker={
                    "symbol": symbol,
                    "size": 12,
                    "color": colour,
                    "line": {"width": 2, "color": colour},
                },
                hovertemplate="%{customdata}<extra></extra>",
                customdata=[escape_plotly(mark.tooltip) for _, mark in drawn],
            )
        )
    return figure
