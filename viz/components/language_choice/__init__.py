"""A select box of languages; it also sets the page's language in the browser and in its links."""

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from viz.components.browser import bundle, sent

_FOLDER = Path(__file__).parent
_mount = st.components.v2.component(
    "language_choice",
    css=(_FOLDER / "language_choice.css").read_text(encoding="utf-8"),
    js=bundle(_FOLDER / "language_choice.js"),
)


def language_choice(
    names: Mapping[str, str], language: str, label: str, *, key: str, on_choose: Callable[[], None]
) -> None:
    """Draw the list; of a language that was chosen :func:`chosen_in` tells, in ``on_choose`` alone.

    Args:
        names: each language's own name, by the language.
        language: the one that the page is in.
        label: what the list is, for those who hear it or point at it.
        key: of the widget.
        on_choose: called before the page runs again.
    """
    data = {"names": dict(names), "chosen": language, "label": label}
    _mount(key=key, data=data, width="content", on_language_change=on_choose)


def chosen_in(key: str) -> str | None:
    """Return the language that was chosen in the list ``key`` just now, as the browser says it."""
    return sent(key, "language", str)
