"""Direct effects between groups of nodes, or parts: what one adds to what another reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.circuits.frozen_pass import UNIT, FrozenPass, Node, NodeEffects, Objective, is_input
from model.analysis.interventions.ablation import Means, Part, over_positions
from model.analysis.interventions.direct_attribution import refuse_unless_sum

Group = tuple[Node, ...]
"""Nodes of one block at one position, or what enters a stack at one position."""

_BLOCKS = ("self_attention", "cross_attention", "feed_forward")


@dataclass(frozen=True)
class Edge:
    """An effect of ``source`` on the objective through ``target`` alone; None for without any other.

    The edges out of a group sum to its effect; the edges into it do, but for what biases add.
    """

    source: Group
    target: Group | None
    effect: float


def edges_between(
    frozen: FrozenPass, effects: NodeEffects, objective: Objective, groups: Sequence[Group]
) -> tuple[Edge, ...]:
    """Return every edge from one of ``groups`` to another one, or to the objective.

    Args:
        frozen: the pass, of a pre-norm model with residual connections: the stream is then the sum of what is written.
        effects: of all nodes on the objective.
        objective: a linear function of the logits.
        groups: none of them empty.

    Raises:
        NotASumError: a model whose residual stream is no sum.
    """
    refuse_unless_sum(frozen.model)
    written = {group: torch.stack([frozen.written(node, effects.means) for node in group]).sum(0) for group in groups}
    reads: dict[Group | None, Mapping[str, Tensor]] = {None: _read_by_objective(frozen, objective)}
    reads |= {group: _read(frozen, effects, group) for group in groups if not is_input(group[0].point)}
    return tuple(
        Edge(source, target, float(read[source[0].stack][source[0].position] @ written[source]))
        for target, read in reads.items()
        for source in groups
        if source[0].stack in read and (target is None or _comes_before(source[0], target[0]))
    )


@dataclass(frozen=True)
class PartEdge:
    """The effects, by row, of ``source`` on an objective through ``target`` alone, at all positions.

    ``target`` is None for what it adds without any other part.
    """

    source: Part
    target: Part | None
    effects: Float[Tensor, " row"]


def edges_between_parts(frozen: FrozenPass, objective: Objective, means: Means) -> tuple[PartEdge, ...]:
    """Return the edges between inputs, heads and the hidden units of layers, of each row of ``frozen``.

    Args:
        frozen: the pass of a decoder without an encoder, pre-norm and with residual connections.
        objective: a linear function of the logits of each row.
        means: what the effects of heads [H, E] and hidden units [F] are counted from; those of inputs are counted from
            the mean of all rows at each position, so that what the inputs share has none.

    Raises:
        NotASumError: a model whose residual stream is no sum.
    """
    refuse_unless_sum(frozen.model)
    points = frozen.node_points
    total = objective(frozen.rows).sum()  # no row acts on another one
    slopes = dict(zip(points, frozen.slopes(total, [frozen.seen[point] for point in points]), strict=True))
    written = {part: x for point in points for part, x in _written_by_parts(frozen, point, means).items()}
    (at_the_end,) = frozen.slopes(total, (frozen.stream("decoder"),))
    edges = [PartEdge(source, None, _by_row(at_the_end, x)) for source, x in written.items()]
    for target in written:
        if is_input(target.point):
            continue
        held = frozen.seen[target.point] * slopes[target.point]
        value = held.sum() if target.head is None else held[:, target.head].sum()
        block = target.point.rpartition(".")[0]
        (read,) = frozen.slopes(value, (frozen.seen[f"{block}.residual_before"],))
        edges += [
            PartEdge(source, target, _by_row(read, x))
            for source, x in written.items()
            if _comes_before(_first_node(source), _first_node(target))
        ]
    return tuple(edges)


def _written_by_parts(
    frozen: FrozenPass, point: str, means: Means
) -> dict[Part, Float[Tensor, "row position d_model"]]:
    """Return what each part at ``point`` writes into the residual stream."""
    value, block = frozen.seen[point].detach(), point.rpartition(".")[0]
    if is_input(point):
        value = value.reshape(-1, *value.shape[-2:])
        return {Part(point): value - value.mean(0)}
    value = value - over_positions(means[point], value)
    if point.endswith(UNIT):
        return {Part(point): value @ frozen.feed_forward[block].W_2.weight.detach().T}
    W_O = frozen.attention[block].W_O.weight.detach()
    n_heads, d_value = value.shape[1], value.shape[-1]
    heads = torch.einsum("dhe,bhpe->hbpd", W_O.view(-1, n_heads, d_value), value)
    return {Part(point, number): one for number, one in enumerate(heads)}


def _by_row(slope: Tensor, x: Tensor) -> Float[Tensor, " row"]:
    return (slope * x).sum((1, 2))


def _first_node(part: Part) -> Node:
    return Node(part.point, 0, part.head or 0)


def _read_by_objective(frozen: FrozenPass, objective: Objective) -> Mapping[str, Float[Tensor, "position d_model"]]:
    (slope,) = frozen.slopes(objective(frozen.logits[None])[0], (frozen.stream("decoder"),))
    return {"decoder": slope[0]}


def _read(frozen: FrozenPass, effects: NodeEffects, group: Group) -> Mapping[str, Float[Tensor, "position d_model"]]:
    """Return, by stack, the slope of the effect of ``group`` along the stream that its block reads."""
    block = group[0].block
    value = torch.stack([_held_effect(frozen, effects, node) for node in group]).sum()
    # The values of cross-attention are made of the encoder's stream; the decoder's only chooses among them.
    of_encoder = block.endswith("cross_attention")
    stream = frozen.stream("encoder") if of_encoder else frozen.seen[f"{block}.residual_before"]
    (read,) = frozen.slopes(value, (stream,))
    return {"encoder" if of_encoder else group[0].stack: read[0]}


def _held_effect(frozen: FrozenPass, effects: NodeEffects, node: Node) -> Float[Tensor, ""]:
    """Return the effect of ``node`` as a function of what it is computed from; what follows it is held."""
    return (frozen.seen[node.point][0][node.place] * effects.slopes[node.point][node.place]).sum()


def _comes_before(source: Node, target: Node) -> bool:
    return source.stack != target.stack or _depth(source) < _depth(target)


def _depth(node: Node) -> tuple[int, int]:
    """Return the layer of ``node``, and the place of its block in it; tokens and positions come first."""
    _, *rest = node.block.split(".")
    return (int(rest[0]), _BLOCKS.index(rest[1])) if rest else (-1, 0)
