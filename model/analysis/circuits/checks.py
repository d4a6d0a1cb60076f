"""An objective with nodes really switched off: patterns, gates and scales are computed again."""

from collections.abc import Iterable, Sequence
from functools import partial

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.circuits.frozen_pass import Node, Objective, Reader
from model.analysis.interventions.ablation import Means, over_positions
from model.hooks import intervene


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
    edits = {
        point: partial(_mixed, places=places, mean=_mean_at(means, point), are_kept=False)
        for point, places in _places(sets).items()
    }
    with intervene(edits):
        return objective(read(len(sets)))


@torch.inference_mode()
def only(
    read: Reader,
    objective: Objective,
    sets: Sequence[Sequence[Node]],
    points: Iterable[str],
    means: Means | None = None,
    *,
    n_read: int | None = None,
) -> Float[Tensor, " set"]:
    """Return the objective with every head and hidden unit off but those of each set.

    All of ``sets`` are run in one pass with a row for each. ``points`` are the hook points of all heads and hidden
    units; the other arguments are those of :func:`without`. After the first ``n_read`` tokens of the decoder, nothing
    is off.
    """
    places = _places(sets)
    edits = {
        point: partial(
            _mixed,
            places=places.get(point, []),
            mean=_mean_at(means, point),
            are_kept=True,
            n_read=None if point.startswith("encoder.") else n_read,
        )
        for point in points
    }
    with intervene(edits):
        return objective(read(len(sets)))


def _places(sets: Sequence[Sequence[Node]]) -> dict[str, list[tuple[int, ...]]]:
    """Return by hook point the rows of ``sets`` and the places in them."""
    places: dict[str, list[tuple[int, ...]]] = {}
    for row, nodes in enumerate(sets):
        for node in nodes:
            places.setdefault(node.point, []).append((row, *node.place))
    return places


def _mixed(
    x: Float[Tensor, "... position size"],
    *,
    places: Sequence[tuple[int, ...]],
    mean: Tensor | None,
    are_kept: bool,
    n_read: int | None = None,
) -> Tensor:
    """Return ``x`` where ``places`` are kept and what takes its place elsewhere, or the other way round."""
    off = over_positions(mean, x)
    at_places, elsewhere = (x, off) if are_kept else (off, x)
    mixed = elsewhere.clone()
    if places:
        index = tuple(torch.tensor(places).T)
        mixed[index] = at_places[index]
    if n_read is not None:
        mixed[..., n_read:, :] = x[..., n_read:, :]
    return mixed


def _mean_at(means: Means | None, point: str) -> Tensor | None:
    return None if means is None else means[point]
