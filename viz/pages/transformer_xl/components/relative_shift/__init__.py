"""The relative shift of Transformer-XL, a step at a time in the browser, on a few queries and keys."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import streamlit as st
from jaxtyping import Float32

from viz.base.colours import PALETTES, Theme
from viz.components.browser import bundle, menu_header, pack, style

_FOLDER = Path(__file__).parent
SCRIPT = bundle(_FOLDER / "main.js")
"""All of the browser's side, as one module."""
STEPS = ("scores", "pad", "reshape", "drop", "back", "mask")
"""The steps, by the names the scripts use: each has a title, an explanation and an alternative text."""
_mount = st.components.v2.component("relative_shift", css=style(_FOLDER / "relative_shift.css"), js=SCRIPT)


def relative_shift_view(
    by_distance: Float32[np.ndarray, "query key"],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    alts: Sequence[str],
    theme: Theme,
    words: Mapping[str, str],
    key: str,
    files: Sequence[Mapping[str, str]] = (),
) -> None:
    """Show how ``by_distance`` is shifted; which step is shown stays in the browser.

    Args:
        by_distance: scores, column c for the distance K − 1 − c.
        queries: a label for each query, any text; they are the last of the keys.
        keys: a label for each key, any text.
        alts: what the picture shows at each of :data:`STEPS`, for those who hear it.
        theme: light or dark.
        words: every other text, by the names in the scripts.
        key: of the widget.
        files: what its menu offers besides, as :func:`viz.components.browser.menu_header` takes them.
    """
    header = {
        "query_labels": list(queries),
        "key_labels": list(keys),
        "alts": list(alts),
        "words": dict(words),
        "menu": menu_header(files),
        "palette": asdict(PALETTES[theme]),
    }
    _mount(key=key, data=pack(header, {"by_distance": by_distance}))
