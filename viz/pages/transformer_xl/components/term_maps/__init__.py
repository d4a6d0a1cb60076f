"""Six linked maps of one head, in the browser: the four terms of its scores, their sum, the pattern.

The pointer on a cell says its numbers and marks it in all six; a click pins it, Escape lets go, arrows move it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from jaxtyping import Float32

from viz.base.colours import PALETTES, Theme, diverging, sequential
from viz.components.browser import bundle, menu_header, pack, style, with_lists

_FOLDER = Path(__file__).parent
SCRIPT = bundle(_FOLDER / "main.js")
"""All of the browser's side, as one module."""
_mount = st.components.v2.component("term_maps", css=style(_FOLDER / "term_maps.css"), js=SCRIPT)


@dataclass(frozen=True)
class TermMaps:
    """Maps of one head.

    Attributes:
        terms: (a) to (d); NaN where the mask forbids.
        scores: their sum; NaN where the mask forbids.
        pattern: the attention weights.
        labels: a label for each key, any text; the last of them are the queries.
        n_remembered: how many of the keys, the first ones, are memory.
        deepest: the absolute value that is drawn deepest, of each term and of the scores.
        largest: the weight that is drawn deepest.
    """

    terms: Float32[np.ndarray, "4 query key"]
    scores: Float32[np.ndarray, "query key"]
    pattern: Float32[np.ndarray, "query key"]
    labels: tuple[str, ...]
    n_remembered: int
    deepest: tuple[float, ...]
    largest: float


def term_maps(
    maps: TermMaps,
    *,
    titles: Mapping[str, str],
    alt: str,
    file_name: str,
    theme: Theme,
    words: Mapping[str, str],
    key: str,
    files: Sequence[Mapping[str, str]] = (),
) -> None:
    """Show ``maps``.

    Args:
        maps: the numbers.
        titles: above the maps ``a``, ``b``, ``c``, ``d``, ``scores`` and ``pattern``.
        alt: what the picture shows, for those who hear it.
        file_name: of saved pictures, without its ending.
        theme: light or dark.
        words: every other text, by the names in the scripts.
        key: of the widget.
        files: what its menu offers besides, as :func:`viz.components.browser.menu_header` takes them.
    """
    palette = {"diverging": diverging(theme), "sequential": sequential(theme), **asdict(PALETTES[theme])}
    header = {
        "labels": maps.labels,
        "n_remembered": maps.n_remembered,
        "deepest": maps.deepest,
        "largest": maps.largest,
        "titles": dict(titles),
        "alt": alt,
        "name": file_name,
        "words": with_lists(words),
        "menu": menu_header(files),
        "palette": palette,
    }
    _mount(key=key, data=pack(header, {name: getattr(maps, name) for name in ("terms", "scores", "pattern")}))
