"""Shared parts of all figures: an empty canvas in the page's colours and fonts, axes, labels, marks."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float, Num

from viz.base.colours import DIVERGING, INK, LINE, MUTED, SEQUENTIAL, SURFACE, Theme, coloured
from viz.base.tokens import escape_plotly, n_columns, shorten

FAMILY = (
    "'Source Sans', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', "
    "'Hiragino Sans', 'Yu Gothic', 'Noto Sans JP', 'Noto Sans CJK JP', "
    "'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans KR', 'Noto Sans CJK KR', sans-serif"
)
FONT_SIZE = 13
# Wider than nearly every letter of the fonts above.
_CHARACTER_WIDTH = 0.61 * FONT_SIZE
# How the names of a figure's colours and scales end.
_COLOURS = ("color", "colorscale", "colorway")
# Of a logarithmic axis with a tick at every power of 4, written as a whole number.
POWERS_OF_FOUR = {"dtick": float(np.log10(4)), "exponentformat": "none"}
_LABEL_GAP = 12
# Of labels that are written letter under letter: the pixels of a letter, and how many there may be.
_LINE, _STACKED = 17, 9
# Letters of a word of other scripts that stays in one line.
_SHORT_WORD = 4
# Marks that lie in a line stand in a column.
_VERTICAL = str.maketrans("ー\uff08\uff09「」⟨⟩…", "\uff5c︵︶﹁﹂︿﹀︙")
# Over a longer stretch of whole numbers Plotly's own ticks are whole.
_SHORT = 8
_DOTTED = {"color": MUTED, "width": 1, "dash": "dot"}
# Pixels of a horizontal axis with its numbers and its name.
_AXIS = 48


def canvas(*, width: int | None, height: int, margin: dict[str, int], **layout: Any) -> go.Figure:
    """Return an empty figure of that size in pixels; without a width it fills what it is put in.

    What is known of the ``layout`` from the first is best given here: Plotly takes longer over each later change than
    over all of the layout at once.
    """
    return go.Figure(
        layout={
            "template": None,
            "width": width,
            "height": height,
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0} | margin,
            "paper_bgcolor": SURFACE,
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": FAMILY, "size": FONT_SIZE, "color": INK},
            "hoverlabel": {
                "bgcolor": SURFACE,
                "bordercolor": MUTED,
                "font": {"family": FAMILY, "size": FONT_SIZE + 1, "color": INK},
            },
            "dragmode": False,
            "showlegend": False,
        }
        | layout
    )


def in_theme(figure: go.Figure, theme: Theme) -> go.Figure:
    """Return ``figure`` with the colours of ``theme`` in place of the palette's tokens.

    Every figure goes through it as it leaves, onto a page or into a file.
    """
    drawn = figure.to_dict()
    # Plotly's own, which every figure gets as it is made; to check this one would take more time than all else.
    drawn["layout"].pop("template", None)
    return go.Figure(_in_theme(drawn, theme))


def _in_theme(value: Any, theme: Theme, *, is_colour: bool = False) -> Any:
    """Return part of a figure; a text, whatever it looks like, is no colour."""
    if isinstance(value, dict):
        return {name: _in_theme(one, theme, is_colour=name.endswith(_COLOURS)) for name, one in value.items()}
    if isinstance(value, list | tuple) or (is_colour and isinstance(value, np.ndarray)):
        return [_in_theme(one, theme, is_colour=is_colour) for one in value]
    return coloured(value, theme) if is_colour and isinstance(value, str) else value


def bare_axis(labels: list[str], positions: Any, **more: Any) -> dict[str, Any]:
    """Return an axis of ``labels`` at ``positions``, without line, grid or zoom."""
    bare = {
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "fixedrange": True,
        "ticklabelstandoff": 3,
    }
    return bare | {"tickmode": "array", "tickvals": positions, "ticktext": labels} | more


def upright_axis(labels: Sequence[str], positions: Any, **more: Any) -> dict[str, Any]:
    """Return an axis whose ``labels`` are turned, or stand letter under letter where they are East Asian."""
    stacks = _stacks(labels)
    texts = labels_of(labels) if stacks is None else ["<br>".join(map(escape_plotly, letters)) for letters in stacks]
    return bare_axis(texts, positions, tickangle=-90 if stacks is None else 0, **more)


def upright_pixels(labels: Sequence[str]) -> int:
    """Return the room in pixels, with a gap, that ``labels`` take on an :func:`upright_axis`."""
    stacks = _stacks(labels)
    return label_pixels(labels) if stacks is None else _LABEL_GAP + _LINE * max(map(len, stacks))


def number_axis(*, name: str = "", is_logarithmic: bool = False) -> dict[str, Any]:
    """Return an axis of numbers, without zoom; it carries its ``name`` where it has one."""
    axis = {
        "gridcolor": LINE,
        "gridwidth": 0.5,
        "zeroline": False,
        "linecolor": MUTED,
        "tickfont": {"color": MUTED, "size": 13},
        "fixedrange": True,
    }
    if name:
        axis["title"] = {"text": escape_plotly(name), "standoff": 6, "font": {"size": FONT_SIZE}}
    # Powers of ten alone, written as such: the digits between them would overlap.
    return axis | ({"type": "log", "dtick": 1, "exponentformat": "power"} if is_logarithmic else {})


def whole_ticks(values: Num[np.ndarray, " value"]) -> dict[str, Any]:
    """Return what keeps an axis's ticks whole where all ``values`` on it are counts.

    Counts are whole, and not just 0 and 1.
    """
    known = values[np.isfinite(values)]
    is_counted = known.size > 0 and known.max() > 1 and bool((known == known.round()).all())
    return {"dtick": 1} if is_counted and np.ptp(known) <= _SHORT else {}


def labels_of(texts: Sequence[str]) -> list[str]:
    """Return ``texts`` as labels: short, and nothing in them is markup."""
    return [escape_plotly(shorten(text)) for text in texts]


def label_pixels(texts: Sequence[str]) -> int:
    """Return the room in pixels that the longest label of ``texts`` takes, with a gap."""
    return _LABEL_GAP + round(max(text_pixels(shorten(text)) for text in texts))


def _stacks(labels: Sequence[str]) -> list[list[str]] | None:
    """Return the lines of each label; None where no label is East Asian, or one is too long."""
    short = [shorten(label) for label in labels]
    is_wide = [n_columns(label) > len(label) for label in short]
    if not any(is_wide) or any(len(label) > _STACKED for label in short):
        return None
    return [[line for word in label.translate(_VERTICAL).split() for line in _lines(word)] for label in short]


def _lines(word: str) -> list[str]:
    """Return the letters of ``word``, or a short one of other scripts as it is.

    That fits beside its neighbours.
    """
    return [word] if len(word) == n_columns(word) <= _SHORT_WORD else list(word)


def text_pixels(text: str) -> float:
    """Return the width in pixels of ``text`` in a figure, or a little more."""
    return n_columns(text) * _CHARACTER_WIDTH


def colour_bar(ticks: Sequence[float], **more: Any) -> dict[str, Any]:
    """Return a thin colour bar right of the picture."""
    bar = {"thickness": 8, "len": 1, "x": 1, "xpad": 12, "ypad": 0, "outlinewidth": 0.5, "outlinecolor": MUTED}
    return bar | {"tickvals": np.array(ticks), "tickfont": {"color": MUTED, "size": 13}} | more


def frame(**corners: Any) -> dict[str, Any]:
    """Return a thin line around a matrix: without it, an edge of zeros would have no end."""
    return {"type": "rect", "line": {"width": 1, "color": LINE}, **corners}


def colour_axis(values: Float[np.ndarray, "..."], *, deepest: float | None = None, ypad: int) -> dict[str, Any]:
    """Return the colours of ``values``, with their legend.

    They are diverging where some values are below 0, else sequential.

    Args:
        values: NaN has no colour.
        deepest: the |value| that has the deepest colour; the largest one where it is None.
        ypad: pixels above and below the legend.
    """
    # All zeros have no scale of their own.
    largest = deepest or float(np.nanmax(np.abs(values))) or 1.0
    is_signed = bool((values < 0).any())
    ticks = [-largest, 0, largest] if is_signed else [0, largest]
    texts = [f"{tick:.2g}".replace("-", "\N{MINUS SIGN}") for tick in ticks]
    return {
        "cmin": -largest if is_signed else 0,
        "cmax": largest,
        "colorscale": DIVERGING if is_signed else SEQUENTIAL,
        "colorbar": colour_bar(ticks, ypad=ypad, ticktext=texts),
    }


def note_at(text: str, x: float, **more: Any) -> dict[str, Any]:
    """Return small letters that begin at ``x`` of the horizontal axis."""
    font = {"color": MUTED, "size": 13}
    return {"x": x, "text": escape_plotly(text), "showarrow": False, "xanchor": "left", "font": font, **more}


def silent(name: str, **more: Any) -> go.Scatter:
    """Return a trace that the legend and the pointer leave out.

    It goes when ``name`` is switched off in the legend.
    """
    return go.Scatter(legendgroup=escape_plotly(name), showlegend=False, hoverinfo="skip", **more)


def name_above(y_name: str, *, has_legend: bool) -> dict[str, Any]:
    """Return a layout with what the vertical axis measures above the picture, and the legend under that.

    Beside a narrow axis a long name would be cut.
    """
    title: dict[str, Any] = {"font": {"size": 13}, "pad": {"t": 2}}
    title |= {"text": escape_plotly(y_name), "x": 0, "xref": "paper", "y": 1, "yref": "container", "yanchor": "top"}
    # At the top of the figure and not on the picture: as many rows as it takes push the picture down. Where a chart
    # becomes narrower, Plotly leaves one on the picture where it was. Its own title, a blank, keeps the row above free.
    legend: dict[str, Any] = {"orientation": "h", "x": 0, "y": 1, "yref": "container", "yanchor": "top"}
    legend |= {"bgcolor": "rgba(0,0,0,0)", "title": {"text": " ", "side": "top", "font": {"size": 13}}}
    return {"showlegend": has_legend, "legend": legend, "title": title}


def legend_below(picture_height: int) -> dict[str, Any]:
    """Return a legend under the horizontal axis.

    There it takes as many rows as it needs, and the picture makes room.

    ``picture_height`` is that of the lines alone, in pixels, which Plotly counts in.
    """
    place = {"orientation": "h", "x": 0, "y": -_AXIS / picture_height, "yanchor": "top"}
    return place | {"tracegroupgap": 0, "bgcolor": "rgba(0,0,0,0)"}


def mark_at(place: float) -> dict[str, Any]:
    """Return a thin dotted line across the picture at ``place`` of the horizontal axis."""
    return {"type": "line", "x0": place, "x1": place, "y0": 0, "y1": 1, "yref": "y domain", "line": _DOTTED}


def name_of_mark(text: str, place: float) -> dict[str, Any]:
    """Return the name of the line at ``place`` of the horizontal axis, above the picture."""
    above = {"y": 1, "yref": "paper", "yanchor": "bottom", "xanchor": "center"}
    return {"x": place, "text": escape_plotly(text), "showarrow": False, **above}


def level_at(value: float) -> dict[str, Any]:
    """Return a thin dotted line across the picture at ``value`` of the vertical axis."""
    return {"type": "line", "y0": value, "y1": value, "x0": 0, "x1": 1, "xref": "x domain", "line": _DOTTED}
