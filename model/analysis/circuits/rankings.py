"""Ways to rank heads and hidden units by their worth to an objective; one holds the network linear.

*Attribution patching* (Nanda 2023; Syed et al. 2023, arXiv:2310.10348) takes the slope of the network itself: how much
the objective changes, to first order, when a node goes to its baseline. Edge attribution patching (EAP) scores edges
the same way; the scores of the edges out of a node sum to that of the node. *EAP-IG* (Hanna et al. 2024,
arXiv:2403.17806) takes the mean of that slope on the way of the inputs from nothing to what they are.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from model.analysis.circuits.frozen_pass import FrozenPass, Node, NodeEffects, Objective, Reader, is_input
from model.analysis.interventions.ablation import Means
from model.hooks import intervene

N_POINTS = 5
"""Points between no input and the whole one, as Hanna et al. take them."""

Ranking = Callable[[nn.Module, Reader, Objective, Means | None], NodeEffects]
"""Returns the worth of every head and hidden unit against a baseline: zero, or its mean."""


def frozen(model: nn.Module, read: Reader, objective: Objective, means: Means | None = None) -> NodeEffects:
    """Return what every node adds with patterns, gates and norm scales held."""
    return _of_switchable(FrozenPass(model, read).effects(objective, means))


def attribution_patching(
    model: nn.Module, read: Reader, objective: Objective, means: Means | None = None
) -> NodeEffects:
    """Return the effect of every node to first order, by the slope of the network itself."""
    return _of_switchable(FrozenPass(model, read, {}).effects(objective, means))


def integrated_gradients(
    model: nn.Module, read: Reader, objective: Objective, means: Means | None = None
) -> NodeEffects:
    """Return the same by the mean slope while the embeddings grow from nothing (EAP-IG on nodes)."""
    whole = FrozenPass(model, read, {}).effects(objective, means)
    slopes = [_slopes_at(model, read, objective, point / N_POINTS) for point in range(1, N_POINTS + 1)]
    mean_slopes = {point: torch.stack([one[point] for one in slopes]).mean(0) for point in whole.slopes}
    return _of_switchable(replace(whole, slopes=mean_slopes))


def _slopes_at(
    model: nn.Module, read: Reader, objective: Objective, share: float
) -> Mapping[str, Float[Tensor, "..."]]:
    with intervene({"*.embedding": lambda x: x * share}):
        return FrozenPass(model, read, {}).effects(objective).slopes


def _of_switchable(effects: NodeEffects) -> NodeEffects:
    return replace(effects, values={point: value for point, value in effects.values.items() if not is_input(point)})


RANKINGS: Mapping[str, Ranking] = {
    "frozen": frozen,
    "attribution patching": attribution_patching,
    "EAP-IG": integrated_gradients,
}
"""All of them, by the names they have in results."""


def matched_draw(nodes: Sequence[Node], among: Sequence[Node], rng: np.random.Generator) -> tuple[Node, ...]:
    """Return as many of ``among``, drawn at random, at every hook point as ``nodes`` has there."""
    drawn: list[Node] = []
    for point, count in Counter(node.point for node in nodes).items():
        there = [node for node in among if node.point == point]
        drawn += [there[place] for place in rng.permutation(len(there))[:count]]
    return tuple(drawn)
