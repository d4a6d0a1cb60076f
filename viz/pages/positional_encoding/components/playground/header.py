"""Header of the playground's payload; ``header.d.ts`` is made from it."""

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


class PlaygroundHeader(TypedDict):
    """The state that the payload is for, the positions of its similarities, and drawing parameters.

    The playground opens on that state, unless ``opens_on`` is there.
    """

    view: PlaygroundState
    opens_on: NotRequired[PlaygroundState]
    anchors: tuple[int, ...]
    sliders: Mapping[str, Slider]
    words: Mapping[str, str]
    menu: MenuHeader
    palette: PlaygroundPalette
