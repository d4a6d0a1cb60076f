"""The direct effects between nodes: what one adds to what another reads, with nothing in between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from model.analysis.circuits.frozen_pass import FrozenPass, Node, NodeEffects, Objective, is_input

_BLOCKS = ("self_attention", "cross_attention", "feed_forward")


@dataclass(frozen=True)
class Edge:
    """What ``source`` adds to the objective through ``target`` alone, or without any other node where it is None.

    The edges into a node sum to its effect, but for what biases add; the edges out of it sum to its effect.
    """

    source: Node
    target: Node | None
    effect: float


def edges_between(
    frozen: FrozenPass, effects: NodeEffects, objective: Objective, nodes: Sequence[Node]
) -> tuple[Edge, ...]:
    """Return every edge of which both ends are in ``nodes`` or the second is the objective.

    Args:
        frozen: the pass, of a pre-norm model with residual connections: the stream is then the sum of what is written.
        effects: of all nodes on the objective.
        objective: a linear function of the logits.
        nodes: those to look at.
    """
    written = {node: frozen.written(node) for node in nodes}
    reads: dict[Node | None, Mapping[str, Tensor]] = {None: _read_by_objective(frozen, objective)}
    reads |= {node: _read(frozen, effects, node) for node in nodes if not is_input(node.point)}
    return tuple(
        Edge(source, target, float(read[source.stack][source.position] @ written[source]))
        for target, read in reads.items()
        for source in nodes
        if source.stack in read and (target is None or _comes_before(source, target))
    )


def _read_by_objective(frozen: FrozenPass, objective: Objective) -> Mapping[str, Float[Tensor, "position d_model"]]:
    (slope,) = frozen.slopes(objective(frozen.logits[None])[0], (frozen.stream("decoder"),))
    return {"decoder": slope[0]}


def _read(frozen: FrozenPass, effects: NodeEffects, node: Node) -> Mapping[str, Float[Tensor, "position d_model"]]:
    """Return, by stack, the slope of the effect of ``node`` along the stream that its block reads, at each position."""
    slope = effects.slopes[node.point][node.place]
    value = (frozen.seen[node.point][0][node.place] * slope).sum()
    # The values of cross-attention are made of the encoder's stream; the decoder's only chooses among them.
    of_encoder = node.block.endswith("cross_attention")
    stream = frozen.stream("encoder") if of_encoder else frozen.seen[f"{node.block}.residual_before"]
    (read,) = frozen.slopes(value, (stream,))
    return {"encoder" if of_encoder else node.stack: read[0]}


def _comes_before(source: Node, target: Node) -> bool:
    return source.stack != target.stack or _depth(source) < _depth(target)


def _depth(node: Node) -> tuple[int, int]:
    """Return the layer of ``node``, and the place of its block in it; tokens and positions come first."""
    _, *rest = node.block.split(".")
    return (int(rest[0]), _BLOCKS.index(rest[1])) if rest else (-1, 0)
