"""A number for each layer: one line a name, seeds as points."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.tokens import escape_plotly
from viz.figures.base import FONT_SIZE, bare_axis, canvas, legend_below, name_above, number_axis, silent
from viz.figures.cliff import BEHIND, grey_entry, grey_line

_TITLE, _BOTTOM, _LEGEND_LINE, _NAMES_A_LINE = 28, 42, 20, 4


@dataclass(frozen=True)
class LayerLine:
    """Values of one name at each layer, by seed, and how its line looks."""

    values: Float[np.ndarray, "seed layer"]
    colour: str
    dash: str
    width: float = 2


def layers(
    labels: Sequence[str],
    named: Mapping[str, LayerLine],
    *,
    x_name: str,
    y_name: str,
    lowest: float | None = None,
    highest: float | None = None,
    height: int = 300,
    quiet: Collection[str] = (),
    others: str = "",
) -> go.Figure:
    """Return a line through the means over seeds for each of ``named``.

    The coloured ones have a point for each seed, too.

    Args:
        labels: of the layers, any text.
        named: the lines by name, any text.
        x_name: what the layers are.
        y_name: what is measured.
        lowest: where the vertical axis begins; lower values are drawn on it, with a tooltip. None for 0.
        highest: where it ends; None for a little above the highest value.
        height: in pixels, without the legend.
        quiet: names of those that are thin grey lines behind the coloured ones.
        others: what the legend calls all of these together; a click there hides them.
    """
    n_entries = len(named) - max(0, len(quiet) - 1)
    legend = _LEGEND_LINE * -(-n_entries // _NAMES_A_LINE)
    bottom = 0.0 if lowest is None else lowest
    ceiling = highest or 1.05 * max((float(line.values.max()) for line in named.values()), default=1.0)
    margin = 0.03 * (ceiling - bottom)
    figure = canvas(
        width=None,
        height=height + _TITLE + legend,
        margin={"l": 44, "r": 12, "t": _TITLE, "b": _BOTTOM},
        hovermode="x unified",
        xaxis=bare_axis([escape_plotly(label) for label in labels], np.arange(len(labels)))
        | {"title": {"text": escape_plotly(x_name), "standoff": 6, "font": {"size": FONT_SIZE}}},
        yaxis=number_axis() | {"range": [bottom - margin, ceiling + margin]},
        **name_above(y_name, has_legend=True) | {"legend": legend_below(height - _BOTTOM)},
    )
    x = np.arange(len(labels), dtype=np.float32)
    for name in sorted(named, key=lambda name: name not in quiet):
        line, label, is_quiet = named[name], escape_plotly(name), name in quiet
        mean = line.values.mean(axis=0)
        if not is_quiet:
            drawn = np.maximum(line.values, bottom)
            figure.add_trace(
                silent(
                    name,
                    x=np.tile(x, len(drawn)),
                    y=drawn.ravel().astype(np.float32),  # [seed · layer]
                    mode="markers",
                    marker={"color": line.colour, "size": 4},
                )
            )
        figure.add_scatter(
            x=x,
            y=np.maximum(mean, bottom).astype(np.float32),
            customdata=mean.astype(np.float32),
            mode="lines",
            name=label,
            legendgroup=BEHIND if is_quiet else label,
            showlegend=not is_quiet,
            line=grey_line() if is_quiet else {"color": line.colour, "width": line.width, "dash": line.dash},
            hovertemplate="%{customdata:.2f}",
        )
    return figure.add_traces([grey_entry(others)] if quiet else [])
