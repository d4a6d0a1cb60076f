"""The relative effective context length of each model in a group (Dai et al. 2019, appendix C).

A model that is already good with a short context gains little from a longer one, so it would seem to use less context
than a worse model. All models are therefore compared with one baseline: at every position, the lowest loss of any model
with the short context.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float

THRESHOLD = 0.01
"""The relative gain from which a longer context counts as useful, as in the paper."""


@dataclass(frozen=True)
class EffectiveContext:
    """A model's relative effective context length, and its gain from each increase of the context.

    ``length`` is the first context whose increase gains too little. If every measured increase gains enough, it is the
    longest context, ``is_reached`` is False, and the true length may be greater.
    """

    length: int
    is_reached: bool
    gains: tuple[float, ...]


def relative_gain(
    short: Float[np.ndarray, "model position"], long: Float[np.ndarray, "model position"], hardest: float
) -> Float[np.ndarray, " model"]:
    """Return the relative reduction of the baseline's perplexity by each model's long context.

    Let b be the lowest loss of any model after the short context, and l the loss of a model after the long one. The
    gain is 1 − exp(mean min(b, l) − mean b), over the positions with the largest b.

    Args:
        short: losses of each model at each position after the short context, in nats.
        long: the same after the long context.
        hardest: the share r of positions with the largest b, above 0 and up to 1.

    Raises:
        ValueError: ``hardest`` outside its range, or no position.
    """
    if not 0 < hardest <= 1 or not short.size:
        raise ValueError(
            f"hardest is {hardest}, of {short.shape[1]} positions; "
            "it must be above 0 and up to 1, with at least one position"
        )
    baseline = short.min(axis=0)  # [position]
    n_hardest = math.ceil(hardest * len(baseline))
    chosen = np.argsort(-baseline, kind="stable")[:n_hardest]
    relative_losses = np.minimum(baseline, long)[:, chosen].mean(axis=1)  # [model]
    gains: np.ndarray = 1 - np.exp(relative_losses - baseline[chosen].mean())
    return gains


def effective_contexts(
    losses: Float[np.ndarray, "context model position"],
    contexts: Sequence[int],
    *,
    hardest: float,
) -> tuple[EffectiveContext, ...]:
    """Return the relative effective context length of every model of a group.

    Args:
        losses: of each model at each position after each of ``contexts``, in nats.
        contexts: numbers of tokens, c, c + Δ, c + 2Δ and so on.
        hardest: the share r of positions that count, those with the worst baseline.

    Raises:
        ValueError: fewer than two contexts, another number than ``losses`` has, or unequal steps.
    """
    steps = set(np.diff(contexts).tolist())
    if len(contexts) < 2 or len(contexts) != len(losses) or len(steps) > 1 or min(steps) < 1:
        raise ValueError(
            f"the contexts are {', '.join(map(str, contexts))} for {len(losses)} rows of losses; "
            "give one for each row, at least two, rising in equal steps"
        )
    gains = np.stack([relative_gain(short, long, hardest) for short, long in pairwise(losses)])  # [step, model]
    return tuple(_effective_context(gains[:, model].tolist(), contexts) for model in range(losses.shape[1]))


def _effective_context(gains: list[float], contexts: Sequence[int]) -> EffectiveContext:
    for context, gain in zip(contexts[:-1], gains, strict=True):
        if gain < THRESHOLD:
            return EffectiveContext(context, True, tuple(gains))
    return EffectiveContext(contexts[-1], False, tuple(gains))
