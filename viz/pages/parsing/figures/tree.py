"""A constituency tree: words in a row, constituents above, and shades for what one step read."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import plotly.graph_objects as go

from viz.base.colours import HUE, INK, MUTED, OKABE_ITO, SURFACE
from viz.base.tokens import escape_plotly, shorten
from viz.figures.base import FONT_SIZE, bare_axis, canvas, text_pixels

_LEVEL, _WORD_ROW, _TOP, _BOTTOM = 40, 30, 18, 22
_GAP, _SIDE, _LONGEST = 14, 8, 16
_WRONG = OKABE_ITO[5]


@dataclass(frozen=True)
class DrawnNode:
    """A constituent over words ``start`` up to but without ``end``, with its depth and its tooltip."""

    label: str
    start: int
    end: int
    depth: int
    tooltip: str
    is_wrong: bool = False
    is_chosen: bool = False


def tree_width(words: Sequence[str]) -> int:
    """Return the pixels in which ``words`` stand beside each other in full."""
    return round(sum(map(_width, words)) + 2 * _SIDE)


def tree_figure(nodes: Sequence[DrawnNode], words: Sequence[str], weights: Sequence[float]) -> go.Figure:
    """Return the picture of ``nodes`` over ``words``, each as deep as its weight, from 0 to 1."""
    edges = [float(_SIDE)]
    for word in words:
        edges.append(edges[-1] + _width(word))
    middles = [(left + right) / 2 for left, right in pairwise(edges)]
    places = _places(nodes, middles)
    levels = _levels(nodes)
    bottom = max(levels, default=-1) + 1
    height = _TOP + bottom * _LEVEL + _WORD_ROW + _BOTTOM
    shades = [
        {
            "type": "rect",
            **{"x0": left + 2, "x1": right - 2, "y0": bottom - 0.32, "y1": bottom + 0.32},
            **{"fillcolor": HUE, "opacity": 0.65 * weight**0.7, "line_width": 0, "layer": "below"},
        }
        for (left, right), weight in zip(pairwise(edges), weights, strict=True)
    ]
    figure = canvas(
        width=None,
        height=height,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        xaxis=bare_axis([], [], range=[0, edges[-1] + _SIDE]),
        yaxis=bare_axis([], [], range=[bottom + 0.7, -0.5]),
        shapes=shades,
    )
    lines_x, lines_y = _lines(nodes, places, levels, middles)
    figure.add_trace(
        go.Scatter(x=lines_x, y=lines_y, mode="lines", line={"color": MUTED, "width": 1}, hoverinfo="skip")
    )
    figure.add_trace(
        go.Scatter(
            x=middles,
            y=[bottom] * len(words),
            mode="text",
            text=[escape_plotly(shorten(word, _LONGEST)) for word in words],
            hovertemplate="%{customdata}<extra></extra>",
            customdata=[escape_plotly(f"{word}: {weight:.1%}") for word, weight in zip(words, weights, strict=True)],
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[places[number] for number in range(len(nodes))],
            y=levels,
            mode="markers+text",
            # A box of the page's own colour, so that no line runs through a label.
            marker={"symbol": "square", "size": 20, "color": SURFACE},
            text=[_label(node) for node in nodes],
            textfont={"color": [_colour(node) for node in nodes], "size": FONT_SIZE},
            hovertemplate="%{customdata}<extra></extra>",
            customdata=[escape_plotly(node.tooltip) for node in nodes],
        )
    )
    return figure


def _label(node: DrawnNode) -> str:
    text = escape_plotly(f"{node.label} ✗" if node.is_wrong else node.label)
    return f"<b>[{text}]</b>" if node.is_chosen else text


def _colour(node: DrawnNode) -> str:
    if node.is_wrong:
        return _WRONG
    return HUE if node.is_chosen else INK


def _places(nodes: Sequence[DrawnNode], middles: Sequence[float]) -> dict[int, float]:
    """Return where each node stands: in the middle over its words."""
    return {number: (middles[node.start] + middles[node.end - 1]) / 2 for number, node in enumerate(nodes)}


def _levels(nodes: Sequence[DrawnNode]) -> list[int]:
    """Return the row of each node: just above the highest one in it.

    So lines to its words pass over those.
    """
    heights = [0] * len(nodes)
    for number in reversed(range(len(nodes))):
        if (parent := _parent(nodes, number)) is not None:
            heights[parent] = max(heights[parent], heights[number] + 1)
    highest = max(heights, default=0)
    return [highest - height for height in heights]


def _lines(
    nodes: Sequence[DrawnNode], places: dict[int, float], levels: Sequence[int], middles: Sequence[float]
) -> tuple[list[float | None], list[float | None]]:
    """Return lines from each constituent and word up to the one that it is directly in."""
    lines_x: list[float | None] = []
    lines_y: list[float | None] = []
    for number in range(len(nodes)):
        if (parent := _parent(nodes, number)) is not None:
            lines_x += [places[number], places[parent], None]
            lines_y += [levels[number], levels[parent], None]
    for word, middle in enumerate(middles):
        inside = [number for number, node in enumerate(nodes) if node.start <= word < node.end]
        if inside:
            deepest = max(inside, key=lambda number: nodes[number].depth)
            lines_x += [middle, places[deepest], None]
            lines_y += [max(levels) + 0.7, levels[deepest], None]
    return lines_x, lines_y


def _parent(nodes: Sequence[DrawnNode], number: int) -> int | None:
    node = nodes[number]
    for other in range(number - 1, -1, -1):
        candidate = nodes[other]
        if candidate.depth == node.depth - 1 and candidate.start <= node.start and node.end <= candidate.end:
            return other
    return None


def _width(word: str) -> float:
    return max(text_pixels(shorten(word, _LONGEST)), text_pixels(2 * "x")) + _GAP
