"""A text shaded by the attention of one of its characters, and a mosaic of all heads.

Pointer and keyboard go from head to head and from character to character in the browser; what is chosen by a click or
Enter goes to the page.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from jaxtyping import Float32

from viz.base.colours import OKABE_ITO, PALETTES, Theme
from viz.components.browser import bundle, menu_header, pack, sent, style

_FOLDER = Path(__file__).parent
SCRIPT = bundle(_FOLDER / "main.js")
"""All of the browser's side, as one module."""
# Registered once: components v2 warns of a second one of the same name.
_mount = st.components.v2.component("memory_text", css=style(_FOLDER / "memory_text.css"), js=SCRIPT)

Head = tuple[int, int] | None


@dataclass(frozen=True)
class MemoryText:
    """Content of the component; places count from the start of the whole text.

    Attributes:
        labels: the characters shown, each as it is to be seen.
        first: the place of the first of them.
        place: the character that looks.
        source: the character that is changed.
        earliest: the first that can reach ``place`` at all.
        first_key: the first in memory.
        border: the first of the segment that is being read.
        weights: attention of each head from ``place`` on every character from ``first_key`` to ``place``.
        head: the layer and the head that is shown under the text; None for the mean of all.
    """

    labels: Sequence[str]
    first: int
    place: int
    source: int
    earliest: int
    first_key: int
    border: int
    weights: Float32[np.ndarray, "layer head key"]
    head: Head


@dataclass(frozen=True)
class Chosen:
    """The browser's choice: the reading character, the changed one, and the head."""

    place: int
    source: int
    head: Head


def memory_text(
    shown: MemoryText,
    *,
    alt: str,
    words: Mapping[str, str],
    theme: Theme,
    key: str,
    on_choose: Callable[[], None],
    files: Sequence[Mapping[str, str]] = (),
) -> None:
    """Show the text and its mosaic; :func:`chosen` says what was chosen there.

    Args:
        shown: what is shown. The browser follows it whenever it changes.
        alt: what the mosaic shows, in words.
        words: every text, by the names in the scripts.
        theme: light or dark.
        key: of the widget.
        on_choose: called before the page runs again.
        files: what its menu offers besides, as :func:`viz.components.browser.menu_header` takes them.
    """
    places = {name: value for name, value in vars(shown).items() if name not in {"labels", "weights"}}
    header = {
        **places,
        "labels": list(shown.labels),
        "alt": alt,
        "words": dict(words),
        "menu": menu_header(files),
        "palette": {**asdict(PALETTES[theme]), "changed": OKABE_ITO[5]},
    }
    _mount(key=key, data=pack(header, {"weights": shown.weights}), on_chosen_change=on_choose)


def chosen(key: str) -> Chosen | None:
    """Return the last choice in the widget ``key``; None without a valid one."""
    return read_chosen(sent(key, "chosen", dict))


def read_chosen(message: Any) -> Chosen | None:
    """Return what a browser sent, checked for its form alone; None where it has another."""
    if not isinstance(message, dict):
        return None
    numbers = [message.get("place"), message.get("source"), *_listed(message.get("head"))]
    if len(numbers) not in {2, 4} or not all(map(_is_count, numbers)):
        return None
    place, source, *head = map(int, numbers)
    return Chosen(place, source, (head[0], head[1]) if head else None)


def _is_count(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 and value == value // 1


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
