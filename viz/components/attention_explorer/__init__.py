"""The attention explorer: every head at once, one head in detail, all in the browser.

Settled, for pages to build on: the dataclasses below, ``attention_explorer`` and ``committed_view``. A page draws it in
three steps, and hover, pins, heads and every other choice happen without it:

    view = committed_view("explorer") or read_link(ExplorerView, st.query_params.to_dict())[0]
    view = view.fitted(kinds, len(steps))
    exact = exact_rows(kinds, view.wanted_rows(kinds))
    attention_explorer(kinds, view=view, exact=exact, steps=steps, text=page_text("components/attention_explorer"), …)
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from viz.base.attention_maps import AttentionKind, ExactRow, Step
from viz.base.colours import Theme
from viz.base.link_parameters import read_fields
from viz.components.attention_explorer.header import ExplorerOptions
from viz.components.attention_explorer.page_file import template
from viz.components.attention_explorer.payload import SEND_ALL, pack
from viz.components.attention_explorer.sending import SendReduced
from viz.components.attention_explorer.view import MAX_PINS, PARAMETERS, ExplorerView, read_of
from viz.components.browser import bundle, menu_header, sent, style, with_lists

__all__ = ["PARAMETERS", "ExplorerView", "attention_explorer", "committed_view", "read_of"]

_FOLDER = Path(__file__).parent
# Registered once: components v2 warns of a second one of the same name.
_mount = st.components.v2.component(
    "attention_explorer",
    css=style(_FOLDER / "attention_explorer.css"),
    js=bundle(_FOLDER / "main.js"),
)


def committed_view(key: str) -> ExplorerView | None:
    """Return what was last chosen in the explorer ``key``; None before the first choice."""
    commit = _commit(key)
    return read_fields(ExplorerView, commit) if commit else None


def _commit(key: str) -> Mapping[str, Any]:
    """Return the browser's last message: the view's fields, and the digest of rows in full precision."""
    return sent(key, "commit", dict) or {}


def attention_explorer(
    kinds: Sequence[AttentionKind],
    *,
    view: ExplorerView,
    text: Mapping[str, str],
    theme: Theme,
    key: str,
    exact: Sequence[ExactRow] = (),
    steps: Sequence[Step] = (),
    other: Sequence[AttentionKind] = (),
    names: tuple[str, str] = ("", ""),
    subtracts: bool = True,
    measure_name: str = "",
    files: Sequence[Mapping[str, str]] = (),
    most_whole: int | None = None,
    aside: str = "",
    on_change: Callable[[], None] = lambda: None,
) -> ExplorerView:
    """Show ``kinds`` and return the selection: the reader's last one, or ``view`` before that.

    Args:
        kinds: the recording: at most one of each of encoder, decoder and cross.
        view: what is shown first; later, where it is not what the person chose, it takes the place of that.
        text: the words on the screen: the sections of ``attention_explorer.md``.
        theme: light or dark.
        key: of the widget.
        exact: rows in full precision, for the pinned ones; ``view.wanted_rows(kinds)`` says which.
        steps: the tokens written by the decoder, to step through.
        other: a second recording, of another sentence or model, to compare with.
        names: what the two recordings are called there.
        subtracts: whether two recordings with as many tokens have a difference: those of two texts have one, those of
            two vocabularies may not.
        measure_name: what the numbers are, where they are not attention weights.
        files: what its menu offers besides, as :func:`viz.components.browser.menu_header` takes them.
        most_whole: up to so many weights all maps are sent; of more, reduced maps, and whole those chosen. Such
            recordings are saved by ``files``. None for any number.
        aside: HTML with its own style, escaped already, that stands beside the matrix where there is room.
        on_change: called before the page runs again, a moment after a choice.

    Raises:
        ValueError: no kind, or two of the same name.
    """
    for recording in filter(None, (kinds, other)):
        if len({kind.name for kind in recording}) < len(recording):
            raise ValueError("Two kinds of attention have the same name; give each name once.")
    if not kinds:
        raise ValueError("There is no attention to show; give one kind at least.")
    chosen = committed_view(key)
    header: ExplorerOptions = {
        "view": view,
        "max_pins": MAX_PINS,
        "is_echo": chosen is not None and chosen.fitted(kinds, len(steps)) == view.fitted(kinds, len(steps)),
        "names": names,
        "subtracts": subtracts,
        "measure": measure_name,
        "text": with_lists(text),
        "menu": menu_header(files),
        "page": template(),
        "aside": aside,
    }
    requested = _commit(key).get("numbers")
    n_weights = sum(kind.weights.size for kind in (*kinds, *other))
    data = pack(
        kinds,
        other=other,
        exact=exact,
        steps=steps,
        theme=theme,
        header=header,
        wants_numbers=lambda digest: digest == requested,
        sending=SendReduced(view) if most_whole is not None and n_weights > most_whole else SEND_ALL,
    )
    _mount(key=key, data=data, on_commit_change=on_change)
    return committed_view(key) or view
