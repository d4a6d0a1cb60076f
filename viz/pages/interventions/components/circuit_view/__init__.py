"""The strongest parts of a translator for a word, and the paths between them, in the browser."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

from viz.base.attention_maps import BlockName
from viz.base.colours import PALETTES, Theme
from viz.components.browser import bundle, menu_header, pack, sent, style, with_lists

_FOLDER = Path(__file__).parent
_mount = st.components.v2.component(
    "circuit_view", css=style(_FOLDER / "circuit_view.css"), js=bundle(_FOLDER / "main.js")
)


@dataclass(frozen=True)
class Box:
    """A part of the circuit.

    Attributes:
        code: what is sent when it is chosen; None of biases and target, which cannot be.
        lane: which of the three it stands in.
        level: how far up, from 0.
        position: of its token, from 0; those of one position stand above each other.
        label: what is written in it.
        effect: on the target; blue above 0, orange below.
        tooltip: its lines.
        kind: input, head, units, biases or target.
        is_dashed: whether its outline is dashed.
    """

    code: str | None
    lane: BlockName
    level: int
    position: int
    label: str
    effect: float
    tooltip: Sequence[str]
    kind: str
    is_dashed: bool


@dataclass(frozen=True)
class Ribbon:
    """Effect of the box ``source`` through the box ``target``; both count from 0."""

    source: int
    target: int
    effect: float


@dataclass(frozen=True)
class Level:
    """The name of a level of a lane."""

    level: int
    label: str


def circuit_view(data: bytes, *, key: str, on_press: Callable[[], None]) -> None:
    """Show what :func:`circuit_data` returned.

    Args:
        data: the circuit.
        key: of the widget.
        on_press: called before the page runs again, when a visitor has chosen a box; in it alone :func:`pressed_part`
            tells the box.
    """
    _mount(key=key, data=data, on_pressed_change=on_press)


def circuit_data(
    boxes: Sequence[Box],
    ribbons: Sequence[Ribbon],
    *,
    levels: Mapping[BlockName, Sequence[Level]],
    lanes: Mapping[BlockName, str],
    chosen: str | None,
    alt: str,
    words: Mapping[str, str],
    file_name: str,
    theme: Theme,
    files: Sequence[Mapping[str, str]] = (),
) -> bytes:
    """Return what the browser shows of a circuit.

    Args:
        boxes: the parts; the last one is the target.
        ribbons: the paths between them.
        levels: the names of the levels of encoder and decoder.
        lanes: the names of the three lanes.
        chosen: the code of the box that is chosen.
        alt: what the picture shows, for those who hear it.
        words: every other text, by the names in the scripts.
        file_name: of the saved picture, without its ending.
        theme: light or dark.
        files: what its menu offers besides, as :func:`viz.components.browser.menu_header` takes them.
    """
    header = {
        "parts": [asdict(box) for box in boxes],
        "paths": [asdict(ribbon) for ribbon in ribbons],
        "levels": {lane: [asdict(level) for level in names] for lane, names in levels.items()},
        "lanes": dict(lanes),
        "chosen": chosen,
        "alt": alt,
        "words": with_lists(words),
        "fileName": file_name,
        "menu": menu_header(files),
        "palette": asdict(PALETTES[theme]),
    }
    return pack(header, {})


def pressed_part(key: str) -> str | None:
    """Return the code of the box that was chosen in the circuit ``key`` just now."""
    return sent(key, "pressed", str)
