"""All of attention in one strip: each matrix as a grid of coloured cells, with arrows between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
import streamlit as st
from jaxtyping import Float

from viz.base.colours import PALETTES, Theme, cell_colour, diverging, ink_on, sequential, style_variables
from viz.base.languages import language
from viz.components.browser import bundle, menu_header, style
from viz.components.matrix_view import written

Matrix = Float[np.ndarray, "row column"]

_FOLDER = Path(__file__).parent
# Registered once: components v2 warns of a second one of the same name.
_mount = st.components.v2.component(
    "computation_strip", css=style(_FOLDER / "computation_strip.css"), js=bundle(_FOLDER / "computation_strip.js")
)
_MAX_CELL = 20
_TEXT_HEIGHT = 17


@dataclass(frozen=True)
class Stage:
    """A matrix of the computation.

    Attributes:
        name: what it is called; any text.
        values: finite or not.
        is_pattern: whether the values are weights from 0 to 1.
        feeds: the name of the later stage that takes it, where not all of the next group do; none where it is empty.
    """

    name: str
    values: Matrix
    is_pattern: bool = False
    feeds: str = ""


@dataclass(frozen=True)
class _Layout:
    """Sizes in pixels: row width, highest grid, arrows, gaps, and the lines above and below a grid."""

    name: str
    width: int
    grid: int
    arrow: int
    gap: int
    above: int
    below: int


_WIDE = _Layout("wide", 1200, 90, 36, 16, above=12, below=12)
# Between its two rows, lines to the next group and to one past it stand apart.
_NARROW = _Layout("narrow", 358, 68, 20, 10, above=0, below=26)
_LINE = 12


@dataclass(frozen=True)
class _Placement:
    """A stage with the left end of its room, the middle of its grid and the size of its cells."""

    stage: Stage
    left: float
    x: float
    y: float
    cell: float

    @property
    def half_height(self) -> float:
        return self.cell * len(self.stage.values) / 2

    @property
    def top(self) -> float:
        return self.y - self.half_height - _TEXT_HEIGHT

    @property
    def bottom(self) -> float:
        return self.y + self.half_height + _TEXT_HEIGHT


def computation_strip(groups: Sequence[Sequence[Stage]], *, theme: Theme, alt: str) -> str:
    """Return HTML for ``groups`` of matrices in one row, on a phone in two, with arrows between groups.

    Where every matrix of a group feeds a later one, there is an arrow from each to that one instead.
    Each matrix has its own largest absolute value drawn deepest, and a pattern 1. What is no number is hatched.
    """
    half = sum(map(len, groups)) / 2
    n_first = next((n for n in range(1, len(groups)) if sum(map(len, groups[:n])) >= half), len(groups))
    rows = [row for row in (groups[:n_first], groups[n_first:]) if row]
    pictures = _svg([groups], _WIDE, theme, alt) + _svg(rows, _NARROW, theme, alt)
    return f'<div class="strip" style="{style_variables(theme)}">{pictures}</div>'


def show_computation_strip(
    groups: Sequence[Sequence[Stage]],
    *,
    theme: Theme,
    name: str,
    alt: str,
    key: str,
    files: Sequence[Mapping[str, str]] = (),
) -> None:
    """Draw the strip of ``groups``.

    Args:
        groups: as those of :func:`computation_strip`.
        theme: light or dark.
        name: what the strip is called, for those who hear its menu.
        alt: what it shows, for those who hear it.
        key: of the widget.
        files: what its menu offers besides, as :func:`viz.components.browser.menu_header` takes them.
    """
    data = {
        "language": language(),
        "html": computation_strip(groups, theme=theme, alt=alt),
        "name": name,
        "surface": PALETTES[theme].surface,
        "menu": menu_header(files),
    }
    _mount(key=key, data=data)


def _svg(rows: Sequence[Sequence[Sequence[Stage]]], layout: _Layout, theme: Theme, alt: str) -> str:
    row_height = layout.above + layout.grid + 2 * _TEXT_HEIGHT + layout.below
    parts: list[str] = []
    placed: list[list[_Placement]] = []
    for number, row in enumerate(rows):
        y = number * row_height + layout.above + _TEXT_HEIGHT + layout.grid / 2
        placed += _place(row, layout, y, is_first=number == 0)
    for before, group in zip([[], *placed], placed, strict=False):
        if before and not all(one.stage.feeds for one in before):
            left, y = min(one.left for one in group), group[0].y
            parts.append(_arrow(f"M{left - layout.arrow + 2:.1f} {y:.1f}H{left - 8:.1f}", left - 2, y, "right"))
        parts += [_grid(one, theme) for one in group]
    for number, group in enumerate(placed[:-1]):
        for source in group:
            for target in (
                one for later in placed[number + 1 :] for one in later if one.stage.name == source.stage.feeds
            ):
                parts.append(_feed(source, target, is_next=target in placed[number + 1]))
    return (
        f'<svg class="{layout.name}" role="img" aria-label="{escape(alt)}" '
        f'viewBox="0 0 {layout.width} {len(rows) * row_height}">'
        f'<defs><pattern id="strange-{layout.name}" width="4" height="4" patternUnits="userSpaceOnUse">'
        f'<path class="hatch" d="M0 4L4 0"/></pattern></defs>{"".join(parts)}</svg>'
    )


def _place(row: Sequence[Sequence[Stage]], layout: _Layout, y: float, *, is_first: bool) -> list[list[_Placement]]:
    """Return the stages of ``row`` at their places, in their groups."""
    n_arrows = len(row) - is_first
    n_stages = sum(map(len, row))
    slot = (layout.width - n_arrows * layout.arrow - layout.gap * (n_stages - len(row))) / n_stages
    x = 0.0
    placed: list[list[_Placement]] = []
    for group in row:
        x += layout.arrow if placed or not is_first else 0
        placed.append([])
        for number, stage in enumerate(group):
            x += layout.gap if number else 0
            n_rows, n_columns = stage.values.shape
            cell = min(_MAX_CELL, layout.grid / n_rows, slot / n_columns)
            placed[-1].append(_Placement(stage, x, x + slot / 2, y, cell))
            x += slot
    return placed


def _grid(placed: _Placement, theme: Theme) -> str:
    values, cell = placed.stage.values, placed.cell
    n_rows, n_columns = values.shape
    left, top = placed.x - cell * n_columns / 2, placed.y - placed.half_height
    fills = _fills(placed.stage, theme)
    cells = "".join(
        f'<rect {fills[r][c]} x="{left + c * cell:.1f}" y="{top + r * cell:.1f}" '
        f'width="{cell:.1f}" height="{cell:.1f}"><title>{written(value)}</title></rect>'
        for r, row in enumerate(values)
        for c, value in enumerate(row)
    )
    name = f'<text class="name" x="{placed.x:.1f}" y="{top - 5:.1f}">{escape(placed.stage.name)}</text>'
    numbers = "".join(
        f'<text class="number" fill="{ink_on(cell_colour(theme, _depth(placed.stage, value)))}" '
        f'font-size="{0.34 * cell:.1f}" x="{left + (c + 0.5) * cell:.1f}" y="{top + (r + 0.62) * cell:.1f}">'
        f"{_short(value)}</text>"
        for r, row in enumerate(values)
        for c, value in enumerate(row)
        if cell > _MAX_CELL / 2 and np.isfinite(value)
    )
    shape = f'<text class="shape" x="{placed.x:.1f}" y="{placed.bottom - 4:.1f}">{n_rows}×{n_columns}</text>'
    return f"<g>{cells}{numbers}{name}{shape}</g>"


def _depth(stage: Stage, value: float) -> float:
    """Return how deep the colour of ``value`` is, from −1 to 1."""
    return float(np.clip(value, 0, 1)) if stage.is_pattern else value / _largest(stage)


def _largest(stage: Stage) -> float:
    return float(np.abs(stage.values[np.isfinite(stage.values)]).max(initial=0)) or 1.0


def _short(value: float) -> str:
    """Return ``value`` with two significant digits, as a cell of a full screen has room for."""
    return f"{value:.2g}".replace("-", "−").replace("−0.", "−.")


def _fills(stage: Stage, theme: Theme) -> list[list[str]]:
    """Return the attribute that colours each cell."""
    scale = sequential(theme) if stage.is_pattern else diverging(theme)
    deepest = _largest(stage)

    def fill(value: float) -> str:
        if not np.isfinite(value):
            return 'class="strange"'
        share = float(np.clip(value, 0, 1)) if stage.is_pattern else (value / deepest + 1) / 2
        return f'fill="{scale[round(share * (len(scale) - 1))][1]}"'

    return [[fill(float(value)) for value in row] for row in stage.values]


def _arrow(path: str, x: float, y: float, way: str) -> str:
    """Return a line along ``path`` and the head of an arrow whose point is at ``x`` and ``y``."""
    head = f"{x - 7:.1f},{y - 4:.1f} {x - 7:.1f},{y + 4:.1f}"
    if way != "right":
        base = y + 7 if way == "up" else y - 7
        head = f"{x - 4:.1f},{base:.1f} {x + 4:.1f},{base:.1f}"
    return f'<path class="arrow" d="{path}"/><polygon class="head" points="{x:.1f},{y:.1f} {head}"/>'


def _feed(source: _Placement, target: _Placement, *, is_next: bool) -> str:
    """Return the arrow from ``source`` to ``target``.

    In a row it goes above where the target ``is_next``, else below what is between; from row to row between them.
    """
    end = f"H{target.x:.1f}V"
    if target.y == source.y and is_next:
        level = min(source.top, target.top) - _LINE + 3
        return _arrow(
            f"M{source.x:.1f} {source.top:.1f}V{level:.1f}{end}{target.top - 6:.1f}", target.x, target.top, "down"
        )
    start = f"M{source.x:.1f} {source.bottom:.1f}"
    if target.y == source.y:
        level = max(source.bottom, target.bottom) + _LINE - 3
        return _arrow(f"{start}V{level:.1f}{end}{target.bottom + 6:.1f}", target.x, target.bottom, "up")
    level = target.top - (2 if is_next else 1) * _LINE
    return _arrow(f"{start}V{level:.1f}{end}{target.top - 6:.1f}", target.x, target.top, "down")
