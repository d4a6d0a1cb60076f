"""A forward pass with patterns, ReLU gates and norm scales held: a linear map, a sum over its parts.

Attention with its pattern held is linear in the values, ReLU with its gates held multiplies by 0 or 1, and LayerNorm
with its scale held is linear but for its bias. So any linear function of the logits, such as the difference of two, is
exactly the sum of what each token, position and bias adds to it. For a head or a hidden unit, its activation times the
slope is all that passes through it (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"). Circuit
tracing (Ameisen et al. 2025) holds the same, but puts other networks in place of the feed-forward blocks. Why a pattern
is as it is stays open here: see :mod:`model.analysis.circuits.score_split`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from jaxtyping import Float
from torch import Tensor, nn

from model.analysis.interventions.ablation import Means, over_positions
from model.architectures.layers import FeedForward
from model.attention import MultiHeadAttention
from model.hooks import Edit, intervene, record
from model.positional import PositionalEncoding

Objective = Callable[[Float[Tensor, "row position vocabulary"]], Float[Tensor, " row"]]
"""A linear function of the logits of each row."""
Reader = Callable[[int], Float[Tensor, "row position vocabulary"]]
"""Runs the model on so many rows, all of the same text."""

TOKEN, POSITION, HEAD, UNIT = ".embedding", ".positional.encoding", ".z", ".hidden"
"""How the hook point of a node ends, by its kind."""

HELD: Mapping[str, Edit] = {"*.pattern": Tensor.detach, "*.norm_scale": Tensor.detach}
"""The edits that make a pass linear."""

# The gradients by the inputs are asked for whatever made them.
_INPUTS = {f"*{kind}": lambda x: x.detach().requires_grad_() for kind in (TOKEN, POSITION)}
_NODES = tuple(f"*{kind}" for kind in (TOKEN, POSITION, HEAD, UNIT))
_READ = ("*.q", "*.k", "*.scores", "*.residual_before", "*.residual_after")


@dataclass(frozen=True, order=True)
class Node:
    """A part of a model at one position: the hook point, and the head or hidden unit, from 0."""

    point: str
    position: int
    index: int = 0

    @property
    def place(self) -> tuple[int, ...]:
        """Its place in what passes the hook point, without the batch axis; of a head, all of its dimensions."""
        if self.point.endswith(HEAD):
            return self.index, self.position
        return (self.position, self.index) if self.point.endswith(UNIT) else (self.position,)

    @property
    def stack(self) -> str:
        """The stack that it stands in, encoder or decoder."""
        return self.point.partition(".")[0]

    @property
    def block(self) -> str:
        """The hook points' common part of its block; of a token or a position, its stack."""
        return self.point.rpartition(".")[0].removesuffix(".positional")


def logit_difference(step: int, token: int, foil: int) -> Objective:
    """Return the logit of ``token`` minus that of ``foil`` at ``step``, from 0."""
    return lambda logits: logits[:, step, token] - logits[:, step, foil]


@dataclass(frozen=True)
class NodeEffects:
    """The effects of all nodes on an objective, all paths together.

    Nodes of one layer add to what reaches the next, so the effects of all layers do not sum to the objective.

    Attributes:
        total: the objective in the pass itself.
        biases: what all biases add, and the vectors that an encoding adds to values, as Shaw's does.
        values: by hook point, what passes it, without the batch axis.
        slopes: by hook point, the objective by that.
        means: of heads [H, E] and hidden units [F], which their effect is counted from; None for zero.
    """

    total: float
    biases: float
    values: Mapping[str, Float[Tensor, "..."]]
    slopes: Mapping[str, Float[Tensor, "..."]]
    means: Means | None = None

    @cached_property
    def effects(self) -> Mapping[str, Float[Tensor, "..."]]:
        """The effects by hook point: of tokens and positions [P], of heads [H, P], of hidden units [P, F]."""
        return {point: self._effects_at(point) for point in self.values}

    def _effects_at(self, point: str) -> Tensor:
        value, slope = self.values[point], self.slopes[point]
        if self.means is not None and not is_input(point):
            value = value - over_positions(self.means[point], value)
        return value * slope if point.endswith(UNIT) else (value * slope).sum(-1)

    def of(self, node: Node) -> float:
        """Return the effect of ``node``."""
        return float(self.effects[node.point][node.place])

    @property
    def of_inputs(self) -> float:
        """The sum over tokens and positions, which with :attr:`biases` is the objective."""
        return float(sum(effect.sum() for point, effect in self.effects.items() if is_input(point)))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Every node whose effect is not 0, the strongest first, whichever way it acts."""
        return tuple(node for node, _ in self.ranked)

    @cached_property
    def ranked(self) -> tuple[tuple[Node, float], ...]:
        """Each of :attr:`nodes`, with its effect."""
        points, flat = [*self.effects], [effect.flatten() for effect in self.effects.values()]
        effects = torch.cat(flat)
        owners = torch.cat([torch.full((len(one),), number) for number, one in enumerate(flat)])
        offsets = torch.cat([torch.arange(len(one)) for one in flat])
        order = effects.abs().argsort(descending=True, stable=True)
        order = order[effects[order] != 0]
        rows = zip(owners[order].tolist(), offsets[order].tolist(), effects[order].tolist(), strict=True)
        return tuple((self._node(points[owner], offset), effect) for owner, offset, effect in rows)

    def _node(self, point: str, offset: int) -> Node:
        shape = self.effects[point].shape
        if len(shape) == 1:
            return Node(point, offset)
        row, column = divmod(offset, shape[1])
        return Node(point, column, row) if point.endswith(HEAD) else Node(point, row, column)


def is_input(point: str) -> bool:
    """Whether the nodes at ``point`` are tokens or positions, which nothing in the network writes."""
    return point.endswith((TOKEN, POSITION))


class FrozenPass:
    """One pass of a model in evaluation mode, with its gradients; what is held is constant.

    Attributes:
        model: the model, an encoder–decoder or a decoder.
        rows: the logits of every row, [B, P, V]; whatever has one row only is of the first.
        seen: what passed the hook points, of every row.
    """

    def __init__(self, model: nn.Module, read: Reader, held: Mapping[str, Edit] = HELD) -> None:
        """Run ``read``, which runs ``model``; without ``held`` the gradients are those of the network itself."""
        with torch.enable_grad(), intervene({**held, **_INPUTS}), record(*_NODES, *_READ) as seen:
            self.rows = read(1)
        self.model, self.seen = model, seen

    @property
    def logits(self) -> Float[Tensor, "position vocabulary"]:
        """The logits of the first row."""
        return self.rows[0]

    @cached_property
    def attention(self) -> Mapping[str, MultiHeadAttention]:
        """The attention blocks of the model, by the common part of their hook points."""
        return {module.name: module for module in self.model.modules() if isinstance(module, MultiHeadAttention)}

    @cached_property
    def feed_forward(self) -> Mapping[str, FeedForward]:
        """The feed-forward blocks of the model, by the common part of their hook points."""
        return {module.name: module for module in self.model.modules() if isinstance(module, FeedForward)}

    @cached_property
    def node_points(self) -> tuple[str, ...]:
        """The hook points of all nodes, in the order of the pass."""
        return tuple(point for point in self.seen if point.endswith((TOKEN, POSITION, HEAD, UNIT)))

    def stream(self, stack: str) -> Float[Tensor, "row position d_model"]:
        """Return the residual stream after the last layer of ``stack``."""
        return self.seen[[name for name in self.seen if name.startswith(stack) and name.endswith("residual_after")][-1]]

    def effects(self, objective: Objective, means: Means | None = None) -> NodeEffects:
        """Return what every node, and all biases, add to ``objective``, counted from ``means``, None for zero."""
        points = self.node_points
        values = [self.seen[point] for point in points]
        biases = [parameter for name, parameter in self.model.named_parameters() if name.endswith("bias")]
        encodings = (module for module in self.model.modules() if isinstance(module, PositionalEncoding))
        biases += [parameter for one in encodings if one.reads_pattern for parameter in one.parameters()]
        total = objective(self.logits[None])[0]
        slopes = self.slopes(total, (*values, *biases))
        of_biases = sum(
            float((slope * bias.detach()).sum()) for slope, bias in zip(slopes[len(points) :], biases, strict=True)
        )
        own = {point: _without_batch(point, self.seen[point].detach()) for point in points}
        by_point = dict(zip(points, map(_without_batch, points, slopes), strict=False))
        return NodeEffects(float(total.detach()), of_biases, own, by_point, means)

    def slopes(self, value: Tensor, by: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Return the gradient of ``value`` by each of ``by``; 0 where it does not depend on one."""
        return torch.autograd.grad(value, by, retain_graph=True, allow_unused=True, materialize_grads=True)

    def written(self, node: Node, means: Means | None = None) -> Float[Tensor, " d_model"]:
        """Return what ``node`` adds to the residual stream at its position.

        It is counted from ``means``, None for zero.
        """
        value = _without_batch(node.point, self.seen[node.point].detach())[node.place]
        if is_input(node.point):
            return value
        if means is not None:
            value = value - means[node.point].to(value)[node.index]
        if node.point.endswith(UNIT):
            return self.feed_forward[node.block].W_2.weight.detach()[:, node.index] * value
        own = slice(node.index * len(value), (node.index + 1) * len(value))
        return self.attention[node.block].W_O.weight.detach()[:, own] @ value


def _without_batch(point: str, x: Tensor) -> Tensor:
    """Return what passes ``point`` without its batch axis, which an additive encoding does not have."""
    return x if point.endswith(POSITION) else x[0]
