"""What is chosen in the explorer, and how it is written into a URL."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal, TypeVar, get_args

from viz.base.attention_maps import BLOCKS, AttentionKind, BlockName, CellAddress, RowAddress

KindName = Literal["encoder", "decoder", "cross", "all"]
Combine = Literal["mean", "max"]
Grain = Literal["pieces", "words"]
Sort = Literal["layer", "pointed", "entropy", "diagonal", "distance"]
Compare = Literal["off", "heads", "recordings"]
Pin = tuple[int, int | None]
Head = tuple[int, int]
Choice = TypeVar("Choice", bound=str)

MOST_HEADS = 400
"""Heads that a URL may name: more than any model's page can show apart."""
MOST_PINS = 16
"""Rows that can be pinned at once."""

_PAIR = re.compile(r"(\d{1,4})\.(\d{1,4})")
_SINGLE = re.compile(r"\d{1,4}")


@dataclass(frozen=True)
class ExplorerView:
    """What is chosen in the explorer. Layers, heads, queries, keys and steps are counted from 0 here, from 1 in URLs.

    Args:
        kind: the attention that is shown; ``all`` puts source and target into one matrix.
        heads: (layer, head) of the heads that are shown, combined where there are several.
        combine: how several heads are combined.
        grain: whether rows and columns are pieces or words.
        pins: (query, key) in pieces; the key is None where a whole row is pinned.
        threshold: weights below are drawn as nothing, in units of the largest possible weight.
        hide_special: whether special tokens are left out.
        normalise: whether each row is made to add up to 1 again after that.
        sort: the measure by which heads are ordered; ``layer`` keeps them in the model's order.
        compare: whether two heads, or two recordings, stand side by side.
        step: the last written token that is shown; None for all.
    """

    kind: KindName = "encoder"
    heads: tuple[Head, ...] = ((0, 0),)
    combine: Combine = "mean"
    grain: Grain = "pieces"
    pins: tuple[Pin, ...] = ()
    threshold: float = 0.0
    hide_special: bool = False
    normalise: bool = False
    sort: Sort = "layer"
    compare: Compare = "off"
    step: int | None = None

    def format(self) -> dict[str, str]:
        """Return the view as URL parameters; what is as by default has none."""
        usual = ExplorerView()
        return {
            _NAMES[field.name]: _CODECS[field.name][1](getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != getattr(usual, field.name)
        }

    @staticmethod
    def parse(parameters: Mapping[str, str]) -> "ExplorerView":
        """Return the view that URL ``parameters`` describe; what cannot be read is as by default."""
        return _read(parameters)[0]

    @staticmethod
    def unreadable(parameters: Mapping[str, str]) -> tuple[str, ...]:
        """Return the names of those ``parameters`` of the explorer that cannot be read."""
        return _read(parameters)[1]

    def fitted(self, kinds: Sequence[AttentionKind], n_steps: int = 0) -> "ExplorerView":
        """Return the view with what ``kinds`` and steps do not have left out: a kind, heads, pins, a step."""
        names = {kind.name for kind in kinds}
        kind = self.kind if self.kind in names or (self.kind == "all" and len(names) > 1) else kinds[0].name
        parts = [part for part in kinds if kind in (part.name, "all")]
        layers, heads = (max(part.weights.shape[axis] for part in parts) for axis in (0, 1))
        n_queries, n_keys = _sides(parts)
        kept = tuple(head for head in self.heads if head[0] < layers and head[1] < heads)
        return replace(
            self,
            kind=kind,
            heads=kept or ((layers - 1, 0),),
            pins=tuple(pin for pin in self.pins if pin[0] < n_queries and (pin[1] is None or pin[1] < n_keys)),
            step=None if self.step is None or self.step >= n_steps else self.step,
        )

    def wanted_rows(self, kinds: Sequence[AttentionKind]) -> tuple[RowAddress, ...]:
        """Return the rows that a pinned row is made of: one for each chosen head, and for each piece of its word."""
        parts = [kind for kind in kinds if self.kind in (kind.name, "all")]
        found: dict[RowAddress, None] = {}
        for part in parts:
            first = _first_row(part.name, parts)
            for query, _ in self.pins:
                if not 0 <= query - first < len(part.queries):
                    continue
                token = query - first
                start, end = part.queries.word_of(token) if self.grain == "words" else (token, token + 1)
                for layer, head in self.heads:
                    if layer < part.weights.shape[0] and head < part.weights.shape[1]:
                        found |= {RowAddress(part.name, layer, head, row): None for row in range(start, end)}
        return tuple(found)

    def last_cell(self, kinds: Sequence[AttentionKind]) -> CellAddress | None:
        """Return the cell that was pinned last, in the first of the chosen heads; None where no cell is pinned."""
        parts = [kind for kind in kinds if self.kind in (kind.name, "all")]
        layer, head = self.heads[0]
        for query, key in reversed(self.pins):
            for part in parts:
                row = query - _first_row(part.name, parts)
                column = -1 if key is None else key - _first_column(part.name, parts)
                places = (layer, head, row, column)
                if all(0 <= place < size for place, size in zip(places, part.weights.shape, strict=True)):
                    return CellAddress(part.name, *places)
        return None


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
    """Return the row of the matrix of ``parts`` where the block ``name`` begins: target rows stand below the source."""
    if name == "encoder":
        return 0
    return sum(len(part.queries) for part in parts if part.name == "encoder")


def _first_column(name: BlockName, parts: Sequence[AttentionKind]) -> int:
    """Return the column of the matrix of ``parts`` where the block ``name`` begins: read tokens stand after source."""
    if name != "decoder":
        return 0
    return max((len(part.keys) for part in parts if part.name != "decoder"), default=0)


def _read(parameters: Mapping[str, str]) -> tuple[ExplorerView, tuple[str, ...]]:
    values, unreadable = {}, []
    for field, name in _NAMES.items():
        if name not in parameters:
            continue
        try:
            values[field] = _CODECS[field][0](parameters[name])
        except ValueError:
            unreadable.append(name)
    return ExplorerView(**values), tuple(unreadable)


def _one_of(choices: Iterable[str]) -> tuple[Callable[[str], str], Callable[[str], str]]:
    allowed = frozenset(choices)

    def read(text: str) -> str:
        if text not in allowed:
            raise ValueError(text)
        return text

    return read, str


def _read_heads(text: str) -> tuple[Head, ...]:
    heads = tuple(dict.fromkeys(_pair(part) for part in text.split("-")))
    if len(heads) > MOST_HEADS:
        raise ValueError(text)
    return heads


def _pair(text: str) -> Head:
    match = _PAIR.fullmatch(text)
    if not match:
        raise ValueError(text)
    return _from_one(match[1]), _from_one(match[2])


def _from_one(text: str) -> int:
    if not _SINGLE.fullmatch(text) or int(text) < 1:
        raise ValueError(text)
    return int(text) - 1


def _read_pins(text: str) -> tuple[Pin, ...]:
    pins = (_pair(part) if "." in part else (_from_one(part), None) for part in filter(None, text.split("-")))
    return tuple(dict.fromkeys(pins))[:MOST_PINS]


def _read_threshold(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value


def _read_switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError(text)
    return text == "1"


def _pin_text(pin: Pin) -> str:
    query, key = pin
    return f"{query + 1}" if key is None else f"{query + 1}.{key + 1}"


_SWITCH = (_read_switch, lambda on: str(int(on)))
# How each field is read from its parameter, and written to it.
_CODECS: dict[str, tuple[Callable, Callable]] = {
    "kind": _one_of([*BLOCKS, "all"]),
    "heads": (_read_heads, lambda heads: "-".join(f"{layer + 1}.{head + 1}" for layer, head in heads)),
    "combine": _one_of(get_args(Combine)),
    "grain": _one_of(get_args(Grain)),
    "pins": (_read_pins, lambda pins: "-".join(map(_pin_text, pins))),
    "threshold": (_read_threshold, lambda value: f"{value:.3g}"),
    "hide_special": _SWITCH,
    "normalise": _SWITCH,
    "sort": _one_of(get_args(Sort)),
    "compare": _one_of(get_args(Compare)),
    "step": (_from_one, lambda step: str(step + 1)),
}
# The names of the parameters: short, because people read and share them.
_NAMES = {field: field for field in _CODECS} | {"grain": "by", "hide_special": "hide"}
PARAMETERS = tuple(_NAMES.values())
"""The URL parameters of the explorer."""
