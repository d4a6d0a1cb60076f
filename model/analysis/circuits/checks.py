"""What becomes of an objective when nodes are really switched off: patterns, gates and scales are computed again."""

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.analysis.circuits.frozen_pass import Node, Objective, Reader, is_input, over_positions
from model.analysis.interventions.ablation import Means
from model.hooks import Edit, intervene

Sizes = Mapping[str, Sequence[int]]
"""Of heads and hidden units: the shape of their places, by hook point."""


@torch.inference_mode()
def without(
    read: Reader, objective: Objective, sets: Sequence[Sequence[Node]], means: Means | None = None
) -> Float[Tensor, " set"]:
    """Return the objective with each of ``sets`` switched off, all in one pass with a row for each.

    Args:
        read: runs a model in evaluation mode.
        objective: a function of the logits.
        sets: heads and hidden units to switch off together.
        means: what takes their place, by hook point, [H, E] or [F]; None for zero.
    """
    rows: dict[str, list[tuple[int, Node]]] = {}
    for row, nodes in enumerate(sets):
        for node in nodes:
            rows.setdefault(node.point, []).append((row, node))
    edits = {point: _off(places, _mean_at(means, point)) for point, places in rows.items()}
    with intervene(edits):
        return objective(read(len(sets)))


@torch.inference_mode()
def only(
    read: Reader, objective: Objective, sets: Sequence[Sequence[Node]], sizes: Sizes, means: Means | None = None
) -> Float[Tensor, " set"]:
    """Return the objective with every head and hidden unit off but each of ``sets``, in one pass with a row for each.

    ``sizes`` are those of all heads and hidden units; the other arguments are those of :func:`without`.
    """
    kept = {point: torch.zeros(len(sets), *shape, dtype=torch.bool) for point, shape in sizes.items()}
    for row, nodes in enumerate(sets):
        for node in nodes:
            if not is_input(node.point):
                kept[node.point][(row, *node.place)] = True
    edits = {point: _keep(kept[point], _mean_at(means, point)) for point in sizes}
    with intervene(edits):
        return objective(read(len(sets)))


def _off(places: Sequence[tuple[int, Node]], mean: Tensor | None) -> Edit:
    def edit(x: Tensor) -> Tensor:
        x, by = x.clone(), _in_place_of(x, mean)
        for row, node in places:
            x[(row, *node.place)] = by[(row, *node.place)]
        return x

    return edit


def _keep(kept: Bool[Tensor, "..."], mean: Tensor | None) -> Edit:
    def edit(x: Tensor) -> Tensor:
        is_kept = kept.to(x.device)
        return torch.where(is_kept[..., None] if x.ndim > is_kept.ndim else is_kept, x, _in_place_of(x, mean))

    return edit


def _mean_at(means: Means | None, point: str) -> Tensor | None:
    return None if means is None else means[point]


def _in_place_of(x: Tensor, mean: Tensor | None) -> Tensor:
    return torch.zeros_like(x) if mean is None else over_positions(mean, x)
