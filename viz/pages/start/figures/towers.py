"""Stacks of layers as towers, the first layer at the bottom, as in figure 1 of Vaswani et al. 2017."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from viz.base.colours import OKABE_ITO, SURFACE
from viz.base.tokens import escape_plotly
from viz.figures.base import canvas, name_above

_HEIGHT, _TOP, _BOTTOM = 370, 48, 24
# Between two layers, and how wide a tower is, as shares of the highest tower and of its place.
_GAP, _WIDTH = 0.035, 0.5


def towers(stacks: Mapping[str, Mapping[str, Mapping[str, int]]], *, blocks: Sequence[str], name: str) -> go.Figure:
    """Return a tower for each of ``stacks``: a block is as high as its number.

    Args:
        stacks: by the name of a stack, its layers by their names; a layer has a number for each of its blocks.
        blocks: the names of all blocks, in the order in which a layer has them.
        name: what the numbers are.
    """
    total = max(sum(sum(layer.values()) for layer in layers.values()) for layers in stacks.values())
    gap = _GAP * total
    figure = canvas(
        width=None,
        height=_HEIGHT,
        margin={"l": 8, "r": 8, "t": _TOP, "b": _BOTTOM},
        barmode="overlay",
        xaxis={"tickvals": [*range(len(stacks))], "ticktext": [*map(escape_plotly, stacks)], "fixedrange": True}
        | {"range": [-0.6, len(stacks) - 0.4], "showgrid": False},
        yaxis={"visible": False, "fixedrange": True},
        **name_above(name, has_legend=True),
    )
    bars: dict[str, list[tuple[int, float, int, str]]] = {block: [] for block in blocks}
    for x, layers in enumerate(stacks.values()):
        base = 0.0
        for title, layer in layers.items():
            middle = base + sum(layer.values()) / 2
            figure.add_annotation(
                x=x - _WIDTH / 2, y=middle, text=escape_plotly(title), showarrow=False, xanchor="right", xshift=-6
            )
            for block in filter(layer.__contains__, blocks):
                bars[block].append((x, base, layer[block], title))
                base += layer[block]
            base += gap
    for block, colour in zip(blocks, OKABE_ITO, strict=False):
        places, bases, numbers, titles = zip(*bars[block], strict=True)
        figure.add_bar(
            x=places,
            base=bases,
            y=numbers,
            width=_WIDTH,
            name=escape_plotly(block),
            customdata=titles,
            marker={"color": colour, "line": {"color": SURFACE, "width": 2}},
            text=[f"{number:,}" for number in numbers],
            textposition="inside",
            insidetextanchor="middle",
            textfont={"color": "#000000"},
            hovertemplate=f"%{{customdata}}, {escape_plotly(block)}: %{{y:,}}<extra></extra>",
        )
    return figure
