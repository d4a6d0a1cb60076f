"""State of the explorer, and its form in a URL."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from viz.base.attention_maps import AttentionKind, BlockName, CellAddress, RowAddress
from viz.base.link_parameters import (
    BadLink,
    LinkParameter,
    bad_links,
    choice_of,
    in_link,
    parameters_of,
    read_link,
    such_as,
)

KindName = Literal["encoder", "decoder", "cross", "all"]
Combine = Literal["mean", "max"]
Grain = Literal["pieces", "words"]
Sort = Literal["layer", "pointed", "entropy", "diagonal", "distance", "alignment"]
Compare = Literal["off", "heads", "recordings"]
Pin = tuple[int, int | None]
Head = tuple[int, int]

MAX_HEADS = 400
"""Heads that a URL may name: more than any model's page can show apart."""
MAX_PINS = 16
"""Rows that can be pinned at once."""

_PAIR = re.compile(r"(\d{1,4})\.(\d{1,4})")
_SINGLE = re.compile(r"\d{1,4}")


@dataclass(frozen=True)
class Heads(LinkParameter[tuple[Head, ...]]):
    """A link's list of heads as layer.head, from 1 and joined by hyphens: 1.1-2.8.

    ``shape`` is the number of layers and heads, if known.
    """

    shape: tuple[int, int] | None = None

    def read(self, text: str) -> tuple[Head, ...]:
        """Return the heads that ``text`` names, each once; raises ValueError where one is none, or not there."""
        heads = tuple(dict.fromkeys(_pair(part) for part in text.split("-")))
        if len(heads) > MAX_HEADS or not all(_is_within(head, self.shape) for head in heads):
            raise ValueError(text)
        return heads

    def write(self, value: tuple[Head, ...]) -> str:
        """Return ``value`` as a link carries it."""
        return "-".join(f"{layer + 1}.{head + 1}" for layer, head in value)

    @property
    def allowed(self) -> str:
        """The first and the last, or the form, by an example."""
        return such_as("1.1-2.8") if self.shape is None else f"1.1 – {self.shape[0]}.{self.shape[1]}"


@dataclass(frozen=True)
class Pins(LinkParameter[tuple[Pin, ...]]):
    """Pinned rows and cells as row or row.column, counted from 1 and joined by hyphens: 3-4.2.

    They are of a matrix of ``shape`` rows and columns, if that is known.
    """

    shape: tuple[int, int] | None = None

    def read(self, text: str) -> tuple[Pin, ...]:
        """Return the first distinct pins that ``text`` names.

        Raises:
            ValueError: a part of ``text`` is no pin, or lies outside the maps.
        """
        parts = filter(None, text.split("-"))
        pins: Iterator[Pin] = (_pair(part) if "." in part else (_from_one(part), None) for part in parts)
        first = tuple(dict.fromkeys(pins))[:MAX_PINS]
        if not all(_is_within((query, key or 0), self.shape) for query, key in first):
            raise ValueError(text)
        return first

    def write(self, value: tuple[Pin, ...]) -> str:
        """Return ``value`` as a link carries it."""
        return "-".join(f"{query + 1}" if key is None else f"{query + 1}.{key + 1}" for query, key in value)

    @property
    def allowed(self) -> str:
        """The last row and the last cell, or the form, by an example."""
        return such_as("3-4.2") if self.shape is None else f"1 – {self.shape[0]}, 1.1 – {self.shape[0]}.{self.shape[1]}"


@dataclass(frozen=True)
class Share(LinkParameter[float]):
    """A number from 0 to 1, with three digits."""

    def read(self, text: str) -> float:
        """Return the number; raises ValueError where ``text`` is none from 0 to 1."""
        value = float(text)
        if not 0 <= value <= 1:
            raise ValueError(text)
        return value

    def write(self, value: float) -> str:
        """Return ``value`` as a link carries it."""
        return f"{value:.3g}"

    @property
    def allowed(self) -> str:
        """The range, as text."""
        return "0 – 1"


@dataclass(frozen=True)
class OnOff(LinkParameter[bool]):
    """On or off: 1 or 0."""

    def read(self, text: str) -> bool:
        """Return whether ``text`` is 1; raises ValueError where it is neither 1 nor 0."""
        if text not in ("0", "1"):
            raise ValueError(text)
        return text == "1"

    def write(self, value: bool) -> str:
        """Return ``value`` as a link carries it."""
        return str(int(value))

    @property
    def allowed(self) -> str:
        """Both, as text."""
        return "0, 1"


@dataclass(frozen=True)
class StepNumber(LinkParameter[int | None]):
    """A written token, counted from 1, of ``most``; None for all of them."""

    most: int = 9999

    def read(self, text: str) -> int:
        """Return the step, counted from 0; raises ValueError where ``text`` is no number from 1 to ``most``."""
        step = _from_one(text)
        if step >= self.most:
            raise ValueError(text)
        return step

    def write(self, value: int | None) -> str:
        """Return ``value`` as a link carries it."""
        return "" if value is None else str(value + 1)

    @property
    def allowed(self) -> str:
        """The range, as text."""
        return f"1 – {self.most}"


_HEADS, _PINS, _STEP = Heads("heads", ((0, 0),)), Pins("pins", ()), StepNumber("step", None)


@dataclass(frozen=True)
class ExplorerView:
    """State of the explorer; layers, heads, queries, keys and steps count from 0 here, from 1 in URLs.

    Args:
        kind: the attention that is shown; ``all`` puts source and target into one matrix.
        heads: (layer, head) of the heads that are shown, combined where there are several.
        combine: how several heads are combined.
        grain: whether rows and columns are pieces or words.
        pins: (query, key) in pieces; the key is None where a whole row is pinned.
        threshold: weights below are drawn as nothing, in units of the largest possible weight.
        hide_special: whether special tokens are left out.
        normalise: whether each row is made to add up to 1 again after that.
        sort: the measure by which heads are ordered; ``layer`` keeps them in the model's order, and ``alignment``,
            which was measured on other sentences, is there for some kinds alone.
        compare: whether two heads, or two recordings, stand side by side.
        step: the last written token that is shown; None for all.
    """

    kind: KindName = in_link(choice_of("kind", get_args(KindName)))
    heads: tuple[Head, ...] = in_link(_HEADS)
    combine: Combine = in_link(choice_of("combine", get_args(Combine)))
    grain: Grain = in_link(choice_of("by", get_args(Grain)))
    pins: tuple[Pin, ...] = in_link(_PINS)
    threshold: float = in_link(Share("threshold", 0.0))
    hide_special: bool = in_link(OnOff("hide", False))
    normalise: bool = in_link(OnOff("normalise", False))
    sort: Sort = in_link(choice_of("sort", get_args(Sort)))
    compare: Compare = in_link(choice_of("compare", get_args(Compare)))
    step: int | None = in_link(_STEP)

    def fitted(self, kinds: Sequence[AttentionKind], n_steps: int = 0) -> "ExplorerView":
        """Return the view without the kind, heads, order, pins and step that ``kinds`` and steps lack."""
        names = {kind.name for kind in kinds}
        kind = self.kind if self.kind in names or (self.kind == "all" and len(names) > 1) else kinds[0].name
        parts = _shown(kinds, kind)
        layers, _ = _most_heads(parts)
        n_queries, n_keys = _sides(parts)
        kept = tuple(head for head in self.heads if any(_is_within(head, part.weights.shape[:2]) for part in parts))
        return replace(
            self,
            kind=kind,
            heads=kept or ((layers - 1, 0),),
            sort="layer" if self.sort == "alignment" and any(part.alignment is None for part in parts) else self.sort,
            pins=tuple(pin for pin in self.pins if pin[0] < n_queries and (pin[1] is None or pin[1] < n_keys)),
            step=None if self.step is None or self.step >= n_steps else self.step,
        )

    def wanted_rows(self, kinds: Sequence[AttentionKind]) -> tuple[RowAddress, ...]:
        """Return the rows behind a pinned row: one for each chosen head and each piece of its word."""
        parts = _shown(kinds, self.kind)
        rows: dict[RowAddress, None] = {}
        for part in parts:
            first = _first_row(part.name, parts)
            for query, _ in self.pins:
                if not 0 <= query - first < len(part.queries):
                    continue
                token = query - first
                start, end = part.queries.word_of(token) if self.grain == "words" else (token, token + 1)
                for layer, head in self.heads:
                    if layer < part.weights.shape[0] and head < part.weights.shape[1]:
                        rows |= {RowAddress(part.name, layer, head, row): None for row in range(start, end)}
        return tuple(rows)

    def comparing(self, *, is_new: bool, has_other: bool) -> "ExplorerView":
        """Return the view with a new second recording beside the first, and without one that is gone."""
        if is_new:
            return replace(self, compare="recordings")
        if not has_other and self.compare == "recordings":
            return replace(self, compare="off")
        return self

    def last_cell(self, kinds: Sequence[AttentionKind]) -> CellAddress | None:
        """Return the last pinned cell, in the first of the chosen heads; None where no cell is pinned."""
        parts = _shown(kinds, self.kind)
        layer, head = self.heads[0]
        for query, key in reversed(self.pins):
            for part in parts:
                row = query - _first_row(part.name, parts)
                column = -1 if key is None else key - _first_column(part.name, parts)
                places = (layer, head, row, column)
                if all(0 <= place < size for place, size in zip(places, part.weights.shape, strict=True)):
                    return CellAddress(part.name, *places)
        return None


def read_of(
    link: Mapping[str, str], kinds: Sequence[AttentionKind], n_steps: int = 0
) -> tuple[ExplorerView, list[BadLink]]:
    """Return the view of ``kinds`` that ``link`` describes, and its unreadable or unavailable values."""
    parts = _shown(kinds, read_link(ExplorerView, link)[0].fitted(kinds).kind)
    there: list[LinkParameter[Any]] = [replace(_HEADS, shape=_most_heads(parts)), replace(_PINS, shape=_sides(parts))]
    if n_steps:
        there.append(replace(_STEP, most=n_steps))
    by_key = {parameter.key: parameter for parameter in (*parameters_of(ExplorerView).values(), *there)}
    bad = bad_links(by_key.values(), link)
    refused = {one.key for one in bad}
    good = {key: text for key, text in link.items() if key not in refused}
    return read_link(ExplorerView, good)[0].fitted(kinds, n_steps), bad


def _shown(kinds: Sequence[AttentionKind], name: KindName) -> list[AttentionKind]:
    return [kind for kind in kinds if name in (kind.name, "all")]


def _most_heads(parts: Sequence[AttentionKind]) -> tuple[int, int]:
    """Return the most layers, and the most heads of a layer, of ``parts``."""
    layers, heads = (max(part.weights.shape[axis] for part in parts) for axis in (0, 1))
    return layers, heads


def _sides(parts: Sequence[AttentionKind]) -> tuple[int, int]:
    """Return how many rows and columns the matrix of ``parts`` has: source before target."""
    names: dict[BlockName, AttentionKind] = {part.name: part for part in parts}
    if len(parts) == 1:
        return len(parts[0].queries), len(parts[0].keys)
    sources = [len(names[name].keys) for name in ("encoder", "cross") if name in names]
    read = len(names["decoder"].keys) if "decoder" in names else 0
    rows = sum(len(part.queries) for part in parts if part.name == "encoder")
    written = max((len(part.queries) for part in parts if part.name != "encoder"), default=0)
    return rows + written, max(sources, default=0) + read


def _first_row(name: BlockName, parts: Sequence[AttentionKind]) -> int:
    """Return the first row of block ``name`` in the matrix of ``parts``: target rows follow the source."""
    if name == "encoder":
        return 0
    return sum(len(part.queries) for part in parts if part.name == "encoder")


def _first_column(name: BlockName, parts: Sequence[AttentionKind]) -> int:
    """Return the first column of the block ``name`` in the matrix of ``parts``.

    The tokens that the decoder reads follow those of the source.
    """
    if name != "decoder":
        return 0
    return max((len(part.keys) for part in parts if part.name != "decoder"), default=0)


def _pair(text: str) -> Head:
    match = _PAIR.fullmatch(text)
    if not match:
        raise ValueError(text)
    return _from_one(match[1]), _from_one(match[2])


def _is_within(places: tuple[int, int], shape: tuple[int, int] | None) -> bool:
    return shape is None or (places[0] < shape[0] and places[1] < shape[1])


def _from_one(text: str) -> int:
    if not _SINGLE.fullmatch(text) or int(text) < 1:
        raise ValueError(text)
    return int(text) - 1


PARAMETERS = tuple(parameter.key for parameter in parameters_of(ExplorerView).values())
"""The URL parameters of the explorer."""
