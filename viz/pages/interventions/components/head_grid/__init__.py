"""Parts of a translator as a grid in the browser, coloured by effect; a click toggles or chooses one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

from viz.base.colours import PALETTES, Theme
from viz.components.browser import bundle, menu_header, pack, sent, style, with_lists

_FOLDER = Path(__file__).parent
SCRIPT = bundle(_FOLDER / "main.js")
"""All of the browser's side, as one module."""
_mount = st.components.v2.component("head_grid", css=style(_FOLDER / "head_grid.css"), js=SCRIPT)


@dataclass(frozen=True)
class GridCell:
    """A part that can be switched off, or chosen.

    Attributes:
        code: what is sent when it is chosen.
        row: from 0.
        column: from 0.
        span: columns that it covers.
        effect: by how much the log-probability changes without it, in nats.
        is_off: whether it is switched off.
        is_within: whether it is off because all of its block is.
        tooltip: its lines: the part, and its effect.
        is_chosen: whether it is the one that is chosen; None where parts are switched off.
        is_idle: whether it has no effect that could be measured; it cannot be chosen.
    """

    code: str
    row: int
    column: int
    span: int
    effect: float
    is_off: bool
    is_within: bool
    tooltip: Sequence[str]
    is_chosen: bool | None = None
    is_idle: bool = False


@dataclass(frozen=True)
class GridLook:
    """File name of the saved picture, and format of the numbers in cells.

    Attributes:
        file_name: without its ending.
        places: after the point.
        least_written: the smallest effect, of either sign, that has a number.
        blue: the sign of the effects that are blue, 1 or −1; the others are orange.
    """

    file_name: str = "heads"
    places: int = 1
    least_written: float = 0.0
    blue: int = 1


def head_grid(
    cells: Sequence[GridCell],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    scale: float,
    alt: str,
    theme: Theme,
    words: Mapping[str, str],
    key: str,
    on_press: Callable[[], None],
    files: Sequence[Mapping[str, str]] = (),
    look: GridLook = GridLook(),
) -> None:
    """Show ``cells``; :func:`pressed_code` returns the code of the chosen one, in ``on_press`` alone.

    Args:
        cells: in the order in which they are read.
        rows: a name for each row.
        columns: a name for each column; long ones stand upright.
        scale: the effect that has the deepest colour, above 0; cells beyond it are marked.
        alt: what the picture shows, for those who hear it.
        theme: light or dark.
        words: every other text, by the names in the scripts.
        key: of the widget.
        on_press: called before the page runs again, when a visitor has chosen a cell.
        files: what its menu offers besides, as :func:`viz.components.browser.menu_header` takes them.
        look: of the numbers and of the saved picture.
    """
    header = {
        "cells": [asdict(cell) for cell in cells],
        "rows": list(rows),
        "columns": list(columns),
        "scale": scale,
        "alt": alt,
        "words": with_lists(words),
        "menu": menu_header(files),
        "palette": asdict(PALETTES[theme]),
        "look": asdict(look),
    }
    _mount(key=key, data=pack(header, {}), on_pressed_change=on_press)


def pressed_code(key: str) -> str | None:
    """Return the code of the cell that was chosen in the grid ``key`` just now."""
    return sent(key, "pressed", str)
