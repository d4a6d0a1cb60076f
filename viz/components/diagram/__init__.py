"""A drawing of parts and arrows with marks that have tooltips, and that are links or buttons."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import streamlit as st

from viz.base.colours import PALETTES, Theme, style_variables
from viz.base.languages import language
from viz.components.browser import bundle, menu_header, sent, style
from viz.components.diagram.shapes import Arrow, Drawing, Group, Line, Mark, Note, OperationBox, Shape, Sum, TitledFrame

__all__ = [
    "Arrow",
    "Drawing",
    "Group",
    "Line",
    "Mark",
    "Note",
    "OperationBox",
    "Shape",
    "Sum",
    "TitledFrame",
    "picked_mark",
    "show_diagram",
]

_FOLDER = Path(__file__).parent
_mount = st.components.v2.component("diagram", css=style(_FOLDER / "diagram.css"), js=bundle(_FOLDER / "main.js"))


def show_diagram(
    layouts: Sequence[Drawing],
    *,
    lit: Collection[str] | None = None,
    theme: Theme,
    name: str,
    alt: str,
    file_name: str,
    key: str,
    on_pick: Callable[[], None] = lambda: None,
    leads_to: str = "",
) -> None:
    """Show the widest of ``layouts`` that has room, or the narrowest.

    Args:
        layouts: the same marks, arranged for different widths.
        lit: the codes of the marks that stand out; None for all.
        theme: light or dark.
        name: what the drawing is called, for those who hear its menu.
        alt: what it shows, for those who hear it.
        file_name: of the saved picture, without its ending.
        key: of the widget.
        on_pick: called before the page runs again, when a mark without an address was chosen; :func:`picked_mark` tells
            which.
        leads_to: the CSS class of what is brought into sight then.
    """
    data = {
        "language": language(),
        "html": "".join(layout.svg(alt) for layout in layouts),
        "lit": None if lit is None else list(lit),
        "style": style_variables(theme),
        "name": name,
        "fileName": file_name,
        "surface": PALETTES[theme].surface,
        "leadsTo": leads_to,
        "menu": menu_header(),
    }
    _mount(key=key, data=data, on_picked_change=on_pick)


def picked_mark(key: str) -> str | None:
    """Return the code of the mark that was chosen in the diagram ``key`` just now."""
    return sent(key, "picked", str)
