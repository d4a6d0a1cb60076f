"""State of the playground, and its form in a link and in a browser."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from viz.base.link_parameters import BadLink, Number, bad_links, in_link, parameters_of, read_link


@dataclass(frozen=True)
class Slider(Number):
    """A number that a slider sets: a multiple of ``step``, or any number where that is 0.

    Attributes:
        logarithmic: whether the slider has such a scale.
        index_of: for one of several things, counted from 0: the field that says how many there are.
        per_item: how much of that field belongs to each of them.
    """

    logarithmic: bool = False
    index_of: str = ""
    per_item: int = 1

    def read(self, text: str) -> Any:
        """Return the number that ``text`` writes; raises ValueError where it cannot be set."""
        value = super().read(text)
        if self.step and value % self.step:
            raise ValueError(text)
        return value


@dataclass(frozen=True)
class PlaygroundState:
    """One view of the playground.

    Attributes:
        d_model: dimensions of the encoding, even.
        base: the 10000 of the paper.
        length: positions that are shown, from 0.
        position: the one that is followed, p.
        pair: the dimensions 2i and 2i + 1 that are followed, i.
        offset: how far on the second position is, k; p + k may lie beyond the length.
    """

    d_model: int = in_link(Slider("d_model", 128, 4, 1024, 2, logarithmic=True))
    base: float = in_link(Slider("base", 10000.0, 2, 1e6, 0, logarithmic=True))
    length: int = in_link(Slider("length", 256, 8, 4096, logarithmic=True))
    position: int = in_link(Slider("position", 40, 0, 4095, index_of="length"))
    pair: int = in_link(Slider("pair", 8, 0, 511, index_of="d_model", per_item=2))
    offset: int = in_link(Slider("offset", 12, 0, 4095, index_of="length"))

    def sliders(self) -> dict[str, Slider]:
        """Return what each control takes while the others are as they are."""
        return {
            name: replace(slider, high=getattr(self, slider.index_of) // slider.per_item - 1)
            if slider.index_of
            else slider
            for name, slider in SLIDERS.items()
        }

    def clamped(self) -> "PlaygroundState":
        """Return the state with what is followed moved inside what is shown."""
        return replace(
            self,
            **{
                name: min(getattr(self, name), int(slider.high))
                for name, slider in self.sliders().items()
                if slider.index_of
            },
        )


SLIDERS = {name: slider for name, slider in parameters_of(PlaygroundState).items() if isinstance(slider, Slider)}
"""The widest range of each control; :meth:`PlaygroundState.sliders` has those of one state."""


@dataclass(frozen=True)
class OpenedView:
    """The view that a link or a browser asks for, as far as it can be shown, and the invalid values."""

    state: PlaygroundState
    bad_links: Sequence[BadLink] = ()


def read_view(link: Mapping[str, str]) -> OpenedView:
    """Return the view that ``link`` describes, with defaults for missing or invalid values.

    Positions are moved inside the shown range.
    """
    outer, _ = read_link(PlaygroundState, link)
    bad = bad_links(outer.sliders().values(), link)
    refused = {value.key for value in bad}
    state, _ = read_link(PlaygroundState, {key: text for key, text in link.items() if key not in refused})
    return OpenedView(state.clamped(), bad)
