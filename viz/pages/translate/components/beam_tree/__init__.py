"""A search as a tree that grows step by step, in the browser: what was kept, what was left, and where to go on from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

from viz.base.colours import PALETTES, Theme
from viz.components.browser import bundle, pack

__all__ = ["SCRIPT", "Tree", "TreeNode", "beam_tree_view"]

_FOLDER = Path(__file__).parent
SCRIPT = bundle(_FOLDER / "main.js")
"""All of the browser's side, as one module."""
_mount = st.components.v2.component("beam_tree", css=(_FOLDER / "beam_tree.css").read_text(encoding="utf-8"), js=SCRIPT)


@dataclass(frozen=True)
class TreeNode:
    """A candidate of the search.

    Attributes:
        step: its column, from 0.
        rank: its row, from 0.
        parent: the number of the node it goes on from; None for the tree's own beginning.
        label: its token, as it is shown.
        text: all that is written up to it.
        probability: of its token.
        total: log-probability of all its tokens.
        score: what it would be ranked by if it ended here.
        fate: "kept", "finished" or "pruned".
        can_go_on: whether a visitor may have the search go on from it.
    """

    step: int
    rank: int
    parent: int | None
    label: str
    text: str
    probability: float
    total: float
    score: float
    fate: str
    can_go_on: bool


@dataclass(frozen=True)
class Tree:
    """All nodes, parents before their children; what is written before the first; and a key that no other tree has."""

    nodes: Sequence[TreeNode]
    beginning: str
    key: str


def beam_tree_view(
    tree: Tree, *, theme: Theme, words: Mapping[str, str], key: str, on_choose: Callable[[], None]
) -> None:
    """Show ``tree``; what a visitor chose is in ``st.session_state[key]["chosen"]``, as the tree's key and a number.

    Args:
        tree: of one search.
        theme: light or dark.
        words: everything that is said, by the names the script uses.
        key: of the widget.
        on_choose: called before the page runs again, when a visitor has chosen a node.
    """
    header = {
        "nodes": [asdict(node) for node in tree.nodes],
        "beginning": tree.beginning,
        "tree": tree.key,
        "words": dict(words),
        "palette": asdict(PALETTES[theme]),
    }
    _mount(key=key, data=pack(header, {}), on_chosen_change=on_choose)
