"""A text segment by segment, in the browser: the segment, its memory, and the gain from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from jaxtyping import Float32

from viz.base.colours import OKABE_ITO, PALETTES, Theme
from viz.components.browser import bundle, menu_header, pack, style, with_lists

_FOLDER = Path(__file__).parent
SCRIPT = bundle(_FOLDER / "main.js")
"""All of the browser's side, as one module."""
_mount = st.components.v2.component("segment_stepper", css=style(_FOLDER / "stepper.css"), js=SCRIPT)


@dataclass(frozen=True)
class Series:
    """Costs of the characters by one way of reading, with its label."""

    label: str
    bits: Float32[np.ndarray, " character"]


@dataclass(frozen=True)
class ReadStretch:
    """A stretch of a text as it was read; segments and characters are counted from 0.

    Attributes:
        segment: the one shown first.
        first: the stretch's first.
        total: how many the whole text has.
        segment_length: characters of a segment.
        mem_len: characters remembered.
        shown_from: the first character of ``text``.
        text: the characters from there on, up to the last that is predicted.
        text_key: what differs between two texts.
        series: bits of the character after each, from the stretch's first.
        attention: of every segment and layer to each key of memory and segment.
        edges: of every segment and depth, the first character that reaches it.
    """

    segment: int
    first: int
    total: int
    segment_length: int
    mem_len: int
    shown_from: int
    text: str
    text_key: str
    series: Sequence[Series]
    attention: Float32[np.ndarray, "segment layer key"]
    edges: Float32[np.ndarray, "segment depth"]


def segment_stepper(
    steps: ReadStretch,
    *,
    theme: Theme,
    words: Mapping[str, str],
    key: str,
    on_step: Callable[[], None],
    files: Sequence[Mapping[str, str]] = (),
) -> None:
    """Show ``steps``; the segment that a visitor goes to is in ``st.session_state[key]["segment"]``.

    Args:
        steps: what was read.
        theme: light or dark.
        words: every text, by the names in the scripts.
        key: of the widget.
        on_step: called before the page runs again, when a visitor has come to another segment.
        files: what its menu offers besides, as :func:`viz.components.browser.menu_header` takes them.
    """
    names = [f"bits{number}" for number in range(len(steps.series))]
    facts = ("segment", "first", "total", "segment_length", "mem_len", "shown_from", "text", "text_key")
    header = {
        **{name: getattr(steps, name) for name in facts},
        "n_layers": steps.attention.shape[1],
        "series": [
            {"name": name, "label": one.label, "colour": colour}
            for name, one, colour in zip(names, steps.series, OKABE_ITO, strict=False)
        ],
        "words": with_lists(words),
        "menu": menu_header(files),
        "palette": asdict(PALETTES[theme]),
    }
    blocks = {name: one.bits for name, one in zip(names, steps.series, strict=True)}
    _mount(
        key=key,
        data=pack(header, {**blocks, "attention": steps.attention, "edges": steps.edges}),
        on_segment_change=on_step,
    )
