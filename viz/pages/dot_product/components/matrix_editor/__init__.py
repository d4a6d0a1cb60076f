"""Editor of small matrices: a grid of cells each, with buttons for rows and columns; values are text."""

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from viz.base.languages import language
from viz.components.browser import bundle

_FOLDER = Path(__file__).parent
# Registered once: components v2 warns of a second one of the same name.
_mount = st.components.v2.component(
    "matrix_editor",
    css=(_FOLDER / "matrix_editor.css").read_text(encoding="utf-8"),
    js=bundle(_FOLDER / "main.js"),
)


def matrix_editor(
    matrices: Mapping[str, str], *, largest: int, words: Mapping[str, str], key: str, on_edit: Callable[[], None]
) -> None:
    """Show ``matrices`` as grids.

    An edit is kept in ``st.session_state[key]["matrices"]``, and calls ``on_edit``.

    Args:
        matrices: by name, rows between semicolons and cells between spaces; where they differ from what the browser
            holds, they take its place.
        largest: rows and columns that a matrix can grow to.
        words: every text, by the names in the scripts: ``cell`` with the fields name, row and column, ``size`` with
            name, rows and columns, the others with name.
        key: of the widget.
        on_edit: called before the page runs again, a moment after the last key.
    """
    _mount(
        key=key,
        data={"language": language(), "matrices": dict(matrices), "largest": largest, "words": dict(words)},
        on_matrices_change=on_edit,
    )
