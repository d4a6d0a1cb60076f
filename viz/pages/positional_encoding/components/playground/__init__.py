"""The interactive sinusoidal encoding: six sliders and seven linked pictures, in the browser.

While a slider moves, nothing is asked of Python. When it is let go, the page is told, and sends the values of the
model's own code, which take the place of the browser's.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from jaxtyping import Float32

from viz.base.colours import OKABE_ITO, PALETTES, Theme, diverging
from viz.components.browser import bundle, menu_header, pack, style
from viz.pages.positional_encoding.components.playground.header import PlaygroundHeader, PlaygroundPalette
from viz.pages.positional_encoding.components.playground.state import SLIDERS, PlaygroundState

_FOLDER = Path(__file__).parent
SCRIPT = bundle(_FOLDER / "main.js")
"""All of the browser's side, as one module."""
_mount = st.components.v2.component("encoding_playground", css=style(_FOLDER / "playground.css"), js=SCRIPT)

MAX_EXACT_VALUES = 2**18
"""Values of the encoding that are sent at a time, 4 bytes each; further rows are the browser's own."""


@dataclass(frozen=True)
class ExactValues:
    """Values of one state by the model's own code.

    Attributes:
        rows: the encoding of the first positions, as many as :func:`n_exact_rows` says.
        followed: PE(p) and PE(p + k).
        anchors: positions whose similarity to all others is given: the first, p, the last.
        similarities: PE(anchor)·PE(position).
    """

    rows: Float32[np.ndarray, "row d_model"]
    followed: Float32[np.ndarray, "2 d_model"]
    anchors: tuple[int, ...]
    similarities: Float32[np.ndarray, "anchor position"]


def n_exact_rows(state: PlaygroundState) -> int:
    """Return how many positions of ``state`` are sent whole."""
    return min(state.length, MAX_EXACT_VALUES // state.d_model)


def encoding_playground(
    state: PlaygroundState,
    exact: ExactValues,
    *,
    theme: Theme,
    words: Mapping[str, str],
    key: str,
    on_commit: Callable[[], None],
) -> None:
    """Show the playground; its state is in ``st.session_state[key]["view"]``, as a state's fields.

    Args:
        state: what is shown first. From then on the browser holds the state, and ``exact`` belongs to this one.
        exact: the values for ``state``.
        theme: light or dark.
        words: every text, by the names that the scripts use.
        key: of the widget.
        on_commit: called before the page runs again, when a slider has been let go.
    """
    data = playground_data(state, exact, theme=theme, words=words)
    _mount(key=key, data=data, on_view_change=on_commit)


def playground_data(state: PlaygroundState, exact: ExactValues, *, theme: Theme, words: Mapping[str, str]) -> bytes:
    """Return what the browser shows, which :func:`encoding_playground` describes."""
    header: PlaygroundHeader = {
        "view": state,
        "anchors": exact.anchors,
        "sliders": SLIDERS,
        "words": dict(words),
        "menu": menu_header(),
        "palette": PlaygroundPalette(**vars(PALETTES[theme]), series=OKABE_ITO, diverging=diverging(theme)),
    }
    blocks = {"rows": exact.rows, "followed": exact.followed, "similarities": exact.similarities}
    return pack(header, blocks)
