"""A search as a tree that grows step by step, in the browser: kept and pruned nodes, new beginnings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import streamlit as st

from viz.base.colours import PALETTES, Theme
from viz.components.browser import bundle, menu_header, pack, style, with_lists
from viz.pages.translate.study.records import Tree

_FOLDER = Path(__file__).parent
SCRIPT = bundle(_FOLDER / "main.js")
"""All of the browser's side, as one module."""
_mount = st.components.v2.component("beam_tree", css=style(_FOLDER / "beam_tree.css"), js=SCRIPT)


def beam_tree_view(
    tree: Tree,
    *,
    theme: Theme,
    words: Mapping[str, str],
    key: str,
    on_choose: Callable[[], None],
    files: Sequence[Mapping[str, str]] = (),
) -> None:
    """Show ``tree``; the choice is in ``st.session_state[key]["chosen"]``, as the tree's key and a number.

    Args:
        tree: of one search.
        theme: light or dark.
        words: every text, by the names in the scripts.
        key: of the widget.
        on_choose: called before the page runs again, when a visitor has chosen a node.
        files: what its menu offers besides, as :func:`viz.components.browser.menu_header` takes them.
    """
    header = {
        "nodes": [asdict(node) for node in tree.nodes],
        "beginning": tree.beginning,
        "tree": tree.key,
        "words": with_lists(words),
        "menu": menu_header(files),
        "palette": asdict(PALETTES[theme]),
    }
    _mount(key=key, data=pack(header, {}), on_chosen_change=on_choose)
