"""What the header of the playground's payload holds; ``header.d.ts`` is made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from viz.base.colours import Palette, Scale
from viz.components.browser import MenuHeader
from viz.pages.positional_encoding.components.playground.state import PlaygroundState, Slider


@dataclass(frozen=True)
class PlaygroundPalette(Palette):
    """The palette with the colours of lines and the scale of signed values."""

    series: Sequence[str]
    diverging: Scale


class Header(TypedDict):
    """The state that is shown first, the positions whose similarities are sent, and what everything is drawn with."""

    view: PlaygroundState
    anchors: tuple[int, ...]
    sliders: Mapping[str, Slider]
    words: Mapping[str, str]
    menu: MenuHeader
    palette: PlaygroundPalette
