"""Boxes and ribbons of the picture: nodes of one block at one position, and paths between them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from model.analysis.circuits.edges import Edge, Group
from model.analysis.circuits.frozen_pass import HEAD, Node, is_input
from viz.base.attention_maps import BlockName

Kind = Literal["input", "head", "units", "biases", "target"]

MOST_DRAWN = 30
_N_STRONGEST = 10


@dataclass(frozen=True)
class CircuitPart:
    """A box of the picture: a head or the hidden units of a layer at one position, or what enters there.

    Attributes:
        kind: what it is.
        lane: where it stands.
        layer: from 1; 0 of what enters, and of the target.
        position: from 0.
        head: from 1; 0 where it is none.
        effect: of all its nodes on the difference of the logits.
        nodes: the strongest first; none of the target and of the biases.
        lost: by how much the difference really falls without it, alone; None where that is not measured.
    """

    kind: Kind
    lane: BlockName
    layer: int
    position: int
    head: int
    effect: float
    nodes: Group = ()
    lost: float | None = None

    @property
    def is_refuted(self) -> bool:
        """Whether what is really lost without it is off its effect by more than half of that."""
        return self.lost is not None and abs(self.lost - self.effect) > abs(self.effect) / 2

    @property
    def turns_over(self) -> bool:
        """Whether it really acts the other way: for the token where its effect is against it, or against it."""
        return self.lost is not None and self.lost * self.effect < 0

    @property
    def code(self) -> str:
        """Its id in a link."""
        return f"{self.lane}.{self.layer}.{self.head or self.kind}.{self.position + 1}"


@dataclass(frozen=True)
class Path:
    """Effect of the part ``source`` through ``target`` alone; both are indices of parts."""

    source: int
    target: int
    effect: float


@dataclass(frozen=True)
class Circuit:
    """The strongest parts for a word, and their paths; the last parts are all biases, and the target.

    ``n_left_out`` counts the parts that were asked for but are too many to draw.
    """

    parts: tuple[CircuitPart, ...]
    paths: tuple[Path, ...]
    n_left_out: int

    @property
    def by_code(self) -> Mapping[str, CircuitPart]:
        """The parts but for biases and target, by their codes."""
        return {part.code: part for part in self.parts if part.nodes}

    def drawn_of(self, part: CircuitPart) -> float | None:
        """Return what the paths out of ``part`` add; None where it has none, as the target."""
        place = self.parts.index(part)
        effects = [path.effect for path in self.paths if path.source == place]
        return sum(effects) if effects else None

    @property
    def misses(self) -> float:
        """The median relative error of the effects of the ten strongest measured parts."""
        measured = sorted((part for part in self.parts if part.lost is not None), key=lambda part: -abs(part.effect))
        shares = [abs((part.lost or 0) - part.effect) / abs(part.effect) for part in measured[:_N_STRONGEST]]
        return median(shares) if shares else 0.0


def grouped(nodes: Iterable[Node]) -> list[Group]:
    """Return ``nodes`` in groups: each head, a layer's hidden units at a position, inputs at a position."""
    groups: dict[tuple[object, ...], list[Node]] = {}
    for node in nodes:
        alone = node.index if node.point.endswith(HEAD) else None
        groups.setdefault((node.block, node.position, alone), []).append(node)
    return [tuple(group) for group in groups.values()]


def strongest_of(
    groups: Sequence[Group], inputs: Sequence[Group], effect: Callable[[Group], float]
) -> tuple[list[Group], int]:
    """Return ``inputs``, the strongest of ``groups``, and the number of groups left out.

    At most :data:`MOST_DRAWN` are kept.
    """
    strongest = sorted(groups, key=lambda group: -abs(effect(group)))
    drawn = [*inputs, *strongest[: MOST_DRAWN - len(inputs)]]
    return drawn, len(inputs) + len(groups) - len(drawn)


def paths_of(drawn: Sequence[Group], edges: Iterable[Edge], target: int) -> tuple[Path, ...]:
    """Return ``edges`` by the places of ``drawn``; ``target`` is that of the objective."""
    places = {group: place for place, group in enumerate(drawn)}
    return tuple(
        Path(places[edge.source], target if edge.target is None else places[edge.target], edge.effect) for edge in edges
    )


def part_of(group: Group, effect: float, lost: float | None) -> CircuitPart:
    """Return the part that ``group`` is drawn as."""
    first = group[0]
    stack: BlockName = "encoder" if first.stack == "encoder" else "decoder"
    if is_input(first.point):
        return CircuitPart("input", stack, 0, first.position, 0, effect, group)
    _, layer, block = first.block.split(".")
    lane: BlockName = "cross" if block == "cross_attention" else stack
    if first.point.endswith(HEAD):
        return CircuitPart("head", lane, int(layer) + 1, first.position, first.index + 1, effect, group, lost)
    return CircuitPart("units", lane, int(layer) + 1, first.position, 0, effect, group, lost)
