"""The boxes and ribbons of the picture: nodes of one block at one position, and the paths between them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from model.analysis.circuits.edges import Edge, Group
from model.analysis.circuits.frozen_pass import HEAD, Node, is_input
from viz.base.attention_maps import BlockName

Kind = Literal["input", "head", "units", "target"]

MOST_DRAWN = 30


@dataclass(frozen=True)
class Part:
    """A box of the picture: a head or the hidden units of a layer at one position, or what enters there.

    Attributes:
        kind: what it is.
        lane: where it stands.
        layer: from 1; 0 of what enters, and of the target.
        position: from 0.
        head: from 1; 0 where it is none.
        effect: of all its nodes on the difference of the logits.
        nodes: the strongest first; none of the target.
    """

    kind: Kind
    lane: BlockName
    layer: int
    position: int
    head: int
    effect: float
    nodes: Group = ()

    @property
    def code(self) -> str:
        """What a link says for it."""
        return f"{self.lane}.{self.layer}.{self.head or self.kind}.{self.position + 1}"


@dataclass(frozen=True)
class Path:
    """What the part ``source`` adds through ``target`` alone; both are places among the parts."""

    source: int
    target: int
    effect: float


@dataclass(frozen=True)
class Circuit:
    """The strongest parts for a word, and the paths between them; the last part is the target.

    ``n_left_out`` counts the parts that were asked for but are too many to draw.
    """

    parts: tuple[Part, ...]
    paths: tuple[Path, ...]
    n_left_out: int

    @property
    def by_code(self) -> Mapping[str, Part]:
        """The parts but for the target, by their codes."""
        return {part.code: part for part in self.parts[:-1]}


def grouped(nodes: Iterable[Node]) -> list[Group]:
    """Return ``nodes`` in groups: each head alone, the hidden units of a layer at a position, what enters there."""
    groups: dict[tuple[object, ...], list[Node]] = {}
    for node in nodes:
        alone = node.index if node.point.endswith(HEAD) else None
        groups.setdefault((node.block, node.position, alone), []).append(node)
    return [tuple(group) for group in groups.values()]


def circuit_of(
    groups: Sequence[Group],
    inputs: Sequence[Group],
    effect: Callable[[Group], float],
    edges: Callable[[Sequence[Group]], Iterable[Edge]],
    target: Part,
) -> Circuit:
    """Return the parts of ``inputs`` and of the strongest ``groups``, at most :data:`MOST_DRAWN` in all, with paths."""
    strongest = sorted(groups, key=lambda group: -abs(effect(group)))
    drawn = [*inputs, *strongest[: MOST_DRAWN - len(inputs)]]
    places = {group: place for place, group in enumerate(drawn)}
    paths = tuple(
        Path(places[edge.source], len(drawn) if edge.target is None else places[edge.target], edge.effect)
        for edge in edges(drawn)
    )
    return Circuit(
        (*(part_of(group, effect(group)) for group in drawn), target), paths, len(inputs) + len(groups) - len(drawn)
    )


def part_of(group: Group, effect: float) -> Part:
    """Return the part that ``group`` is drawn as."""
    first = group[0]
    stack: BlockName = "encoder" if first.stack == "encoder" else "decoder"
    if is_input(first.point):
        return Part("input", stack, 0, first.position, 0, effect, group)
    _, layer, block = first.block.split(".")
    lane: BlockName = "cross" if block == "cross_attention" else stack
    if first.point.endswith(HEAD):
        return Part("head", lane, int(layer) + 1, first.position, first.index + 1, effect, group)
    return Part("units", lane, int(layer) + 1, first.position, 0, effect, group)
