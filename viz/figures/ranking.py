"""Who comes first: a bar for each name, the best one on top, and a mark for what others found of it."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from viz.colours import PALETTES, Theme
from viz.figures.base import CHARACTER_WIDTH, FONT_SIZE, bare_axis, canvas, name_above, number_axis
from viz.tokens import escape_plotly

_ROW, _TOP, _BOTTOM = 26, 48, 24


def ranking(
    names: Sequence[str],
    ours: Sequence[float],
    *,
    colours: Sequence[str],
    theme: Theme,
    x_name: str,
    legend: tuple[str, str],
    theirs: Mapping[str, float] | None = None,
) -> go.Figure:
    """Return a bar of ``ours``, from 0 to 1, for each of ``names``, from the top, with its number at the end.

    Args:
        names: any text.
        ours: a value for each.
        colours: a colour for each.
        theme: light or dark.
        x_name: what is shown.
        legend: what the bars and the marks are.
        theirs: values by name to mark, where there are any.
    """
    palette = PALETTES[theme]
    labels = [escape_plotly(name) for name in names]
    rows = np.arange(len(names))
    figure = canvas(
        theme,
        width=None,
        height=_TOP + _BOTTOM + _ROW * len(names),
        margin={"l": 12 + round(max(map(len, names)) * CHARACTER_WIDTH), "r": 8, "t": _TOP, "b": _BOTTOM},
        # Room for the number at the end of a bar as long as the picture.
        xaxis=number_axis(theme) | {"range": [0, 1.12], "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        yaxis=bare_axis(labels, rows, range=[len(names) - 0.4, -0.6]),
        bargap=0.3,
        **name_above(x_name, has_legend=True),
    )
    # An entry of the legend in no encoding's colour, because the bars have each their own.
    figure.add_bar(x=[None], y=[None], orientation="h", name=escape_plotly(legend[0]), marker={"color": palette.muted})
    figure.add_bar(
        x=np.asarray(ours, dtype=np.float32),
        y=rows,
        orientation="h",
        showlegend=False,
        marker={"color": list(colours), "line": {"width": 0}},
        text=[f"{value:.2f}" for value in ours],
        textposition="outside",
        textfont={"size": FONT_SIZE - 1, "color": palette.ink},
        cliponaxis=False,
        hovertemplate="%{customdata}: %{x:.3f}<extra></extra>",
        customdata=labels,
    )
    marked = [(row, name) for row, name in enumerate(names) if name in (theirs or {})]
    if theirs and marked:
        figure.add_scatter(
            x=np.array([theirs[name] for _, name in marked], dtype=np.float32),
            y=[row for row, _ in marked],
            mode="markers",
            name=escape_plotly(legend[1]),
            marker={"symbol": "diamond-open", "size": 11, "color": palette.ink, "line": {"width": 2}},
            hovertemplate=f"%{{customdata}}, {escape_plotly(legend[1])}: %{{x:.3f}}<extra></extra>",
            customdata=[escape_plotly(name) for _, name in marked],
        )
    return figure
