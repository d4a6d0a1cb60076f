"""Header of the player's payload; ``header.d.ts`` is made from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from viz.base.colours import Palette, Scale
from viz.components.browser import MenuHeader


@dataclass(frozen=True)
class PlayedRun:
    """One run: the names of its curves, its layers and heads, and what else its blocks hold."""

    name: str
    colour: str
    curves: Sequence[str]
    heads: tuple[int, int]
    n_distances: int
    has_similarity: bool


@dataclass(frozen=True)
class PlayerPalette(Palette):
    """The palette with the scale of weights."""

    sequential: Scale


class PlayerHeader(TypedDict):
    """The runs and their frames; those from ``maps_from`` on have patterns and scores."""

    runs: Sequence[PlayedRun]
    steps: Sequence[int]
    last: int
    maps_from: int
    is_live: bool
    tells: bool
    queries: Sequence[str]
    keys: Sequence[str]
    is_cross: bool
    scores: Sequence[str]
    notes: Sequence[str]
    is_log: bool
    opens_at: int
    plays_from: int
    alt: str
    name: str
    words: Mapping[str, str]
    menu: MenuHeader
    palette: PlayerPalette
