"""The pattern of one head in the browser, where a row's weight is dragged from one token to another."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from jaxtyping import Float32

from viz.base.colours import PALETTES, Theme, mixed
from viz.base.tokens import shorten
from viz.components.browser import bundle, menu_header, pack, sent, style
from viz.figures.base import label_pixels
from viz.pages.interventions.figures.pattern_map import ROW_HEIGHT, TITLE_HEIGHT

_FOLDER = Path(__file__).parent
_N_COLOURS = 256
_mount = st.components.v2.component(
    "pattern_editor", css=style(_FOLDER / "pattern_editor.css"), js=bundle(_FOLDER / "main.js")
)


@dataclass(frozen=True)
class Grip:
    """Which rows can be dragged, and how far.

    Attributes:
        n_rows: the first ones.
        is_causal: whether a row looks no further than its own place.
        edited: for each row of the picture, whether it has a line around it.
    """

    n_rows: int
    is_causal: bool
    edited: Sequence[bool]


def pattern_editor(
    pattern: Float32[np.ndarray, "query key"],
    *,
    queries: Sequence[str],
    keys: Sequence[str],
    grip: Grip,
    words: Mapping[str, str],
    file_name: str,
    theme: Theme,
    key: str,
    on_put: Callable[[], None],
    files: Sequence[Mapping[str, str]] = (),
) -> None:
    """Show ``pattern`` as ``figures/pattern_map.py`` does, its rows to be dragged.

    Args:
        pattern: the weights, from 0 to 1.
        queries: a label for each row, any text; also twice the same.
        keys: a label for each column, any text.
        grip: what can be dragged.
        words: ``title``, ``alt``, ``hover`` and ``looks`` with places for the ``row``, the ``column`` and the
            ``weight``, and ``row`` with one for the ``row`` and its ``number``.
        file_name: of the saved picture, without its ending.
        theme: light or dark.
        key: of the widget.
        on_put: called before the page runs again, when a row's weight was put on a token: :func:`put_row` says which.
        files: what its menu offers besides, as :func:`viz.components.browser.menu_header` takes them.
    """
    header = {
        "rows": list(map(shorten, queries)),
        "columns": list(map(shorten, keys)),
        "left": label_pixels(queries),
        "top": TITLE_HEIGHT + label_pixels(keys),
        "row_height": ROW_HEIGHT,
        "scale": [bytes(colour).hex() for colour in mixed(theme, _N_COLOURS)],
        "palette": asdict(PALETTES[theme]),
        "words": dict(words),
        "menu": menu_header(files),
        "file_name": file_name,
        **asdict(grip),
    }
    _mount(key=key, data=pack(header, {"pattern": np.ascontiguousarray(pattern)}), on_put_change=on_put)


def put_row(key: str) -> tuple[int, int] | None:
    """Return the row of the picture ``key`` whose weight was just put on a token, and that token, from 0."""
    put = sent(key, "put", list) or []
    return (put[0], put[1]) if [*map(type, put)] == [int, int] else None
