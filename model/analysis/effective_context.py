"""How many characters back a model still gains from, measured within a group of models (Dai et al. 2019, appendix C).

Longer contexts help little where a short one is enough already, so a better model would seem to use less of them. The
*relative effective context length* therefore compares all models with one baseline: at every position, the least loss
of any of them after the short context.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float

THRESHOLD = 0.01
"""The relative gain below which the paper calls a longer context useless."""


@dataclass(frozen=True)
class EffectiveContext:
    """A model's relative effective context length, and the gains that each further step of context brought it.

    ``length`` is the first context that the next step gained too little over. Where every step measured gained enough,
    it is the longest context, ``is_reached`` is False, and the true length may be greater.
    """

    length: int
    is_reached: bool
    gains: tuple[float, ...]


def relative_gain(
    short: Float[np.ndarray, "model position"], long: Float[np.ndarray, "model position"], hardest: float
) -> Float[np.ndarray, " model"]:
    """Return by which share each model lowers the baseline's perplexity when its context grows from short to long.

    With b the least loss of any model after the short context, and over the positions where b is largest, this is
    1 − exp(mean min(b, l) − mean b), for the loss l of a model after the long context.

    Args:
        short: losses of each model at each position after the short context, in nats.
        long: the same after the long context.
        hardest: the share r of positions that count, above 0 and up to 1.

    Raises:
        ValueError: a share outside that range, or no position.
    """
    if not 0 < hardest <= 1 or not short.size:
        raise ValueError(
            f"the hardest {hardest} of {short.shape[1]} positions were to count; "
            "give at least one position, and a share above 0 and up to 1"
        )
    baseline = short.min(axis=0)  # [position]
    n_counted = math.ceil(hardest * len(baseline))
    counted = np.argsort(-baseline, kind="stable")[:n_counted]
    relative_losses = np.minimum(baseline, long)[:, counted].mean(axis=1)  # [model]
    gains: np.ndarray = 1 - np.exp(relative_losses - baseline[counted].mean())
    return gains


def effective_contexts(
    losses: Float[np.ndarray, "context model position"],
    contexts: Sequence[int],
    *,
    hardest: float,
    threshold: float = THRESHOLD,
) -> tuple[EffectiveContext, ...]:
    """Return the relative effective context length of every model of a group.

    Args:
        losses: of each model at each position after each of ``contexts``, in nats.
        contexts: numbers of tokens, c, c + Δ, c + 2Δ and so on.
        hardest: the share r of positions that count, those where the baseline is worst.
        threshold: the least relative gain that counts as one.

    Raises:
        ValueError: fewer than two contexts, other than ``losses`` has, or not rising in equal steps.
    """
    steps = set(np.diff(contexts).tolist())
    if len(contexts) < 2 or len(contexts) != len(losses) or len(steps) > 1 or min(steps) < 1:
        raise ValueError(
            f"the contexts are {', '.join(map(str, contexts))} for {len(losses)} measured; "
            "give one for each, at least two, rising in equal steps"
        )
    gains = np.stack([relative_gain(short, long, hardest) for short, long in pairwise(losses)])  # [step, model]
    return tuple(_effective_context(gains[:, model].tolist(), contexts, threshold) for model in range(losses.shape[1]))


def _effective_context(gains: list[float], contexts: Sequence[int], threshold: float) -> EffectiveContext:
    for context, gain in zip(contexts[:-1], gains, strict=True):
        if gain < threshold:
            return EffectiveContext(context, True, tuple(gains))
    return EffectiveContext(contexts[-1], False, tuple(gains))
