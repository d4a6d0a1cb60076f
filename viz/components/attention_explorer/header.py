"""Header of the explorer's payload; ``header.d.ts`` is made from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from viz.base.attention_maps import BlockName, Step, TokenRow
from viz.base.colours import Palette, Scale, Theme
from viz.components.attention_explorer.view import Combine, ExplorerView, Head
from viz.components.browser import MenuHeader


@dataclass(frozen=True)
class MapSide(TokenRow):
    """The tokens along one side of a map, and where the squares of reduced maps begin."""

    starts: Sequence[int] | None = None


@dataclass(frozen=True)
class KindShape:
    """The shape of one kind of attention; ``queries`` and ``keys`` are places among the rows.

    ``layer_numbers``, from 0, are those of the model where they do not count through.
    """

    name: BlockName
    layers: int
    heads: int
    queries: int
    keys: int
    alignment: Sequence[float] | None = None
    layer_numbers: Sequence[int] | None = None


@dataclass(frozen=True)
class WholeMap:
    """A map of a large recording in full: its recording and kind, its heads, and the value of byte 255."""

    of: str
    heads: Sequence[Head]
    combine: Combine
    scale: float


@dataclass(frozen=True)
class ExplorerPalette(Palette):
    """The palette with the colours of heads and both scales."""

    theme: Theme
    heads: tuple[str, ...]
    sequential: Scale
    diverging: Scale


class ExplorerOptions(TypedDict):
    """The caller's options for the explorer."""

    view: ExplorerView
    max_pins: int
    is_echo: bool
    is_alone: NotRequired[bool]
    names: tuple[str, str]
    subtracts: NotRequired[bool]
    measure: str
    text: Mapping[str, str]
    menu: MenuHeader
    page: str
    aside: NotRequired[str]


class ExplorerHeader(ExplorerOptions):
    """The same with what is shown; the digest tells recordings apart."""

    rows: Sequence[MapSide]
    recordings: Sequence[Sequence[KindShape]]
    steps: Sequence[Step]
    digest: str
    exact: Sequence[tuple[BlockName, int, int, int]]
    palette: ExplorerPalette
    whole: Sequence[WholeMap] | None
