"""What the header of the playground's payload holds; ``header.d.ts`` is made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from viz.base.colours import Palette, Scale
from viz.components.browser import MenuHeader
from viz.pages.positional_encoding.components.playground.state import PlaygroundState, Slider


@dataclass(frozen=True)
class PlaygroundPalette(Palette):
    """The palette with the colours of lines and the scale of signed values."""

    series: Sequence[str]
    diverging: Scale


class Header(TypedDict):
    """The state whose values are sent, the positions whose similarities are, and what everything is drawn with.

    It opens on that state, unless ``opens_on`` is there.
    """

    view: PlaygroundState
    opens_on: NotRequired[PlaygroundState]
    anchors: tuple[int, ...]
    sliders: Mapping[str, Slider]
    words: Mapping[str, str]
    menu: MenuHeader
    palette: PlaygroundPalette
