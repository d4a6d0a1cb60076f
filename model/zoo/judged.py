"""Which of several encodings is best by what was measured, and which ones the seeds cannot tell from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

N_DRAWS = 2000
_OUTER = 0.025
"""Of the draws, at each end of an interval of 95 %."""

Values = Sequence[Float[np.ndarray, " _seed"]]
"""What each seed reached, task by task; tasks may have other numbers of seeds."""


@dataclass(frozen=True)
class Judged:
    """An encoding's mean over tasks and seeds, its interval, and whether it may be the best.

    ``low``, ``high`` and ``may_be_best`` are None where some task has a single seed: that tells nothing of the spread.
    """

    name: str
    mean: float
    n_seeds: int
    low: float | None = None
    high: float | None = None
    may_be_best: bool | None = None


def judge(measured: Mapping[str, Values], *, higher_is_better: bool) -> tuple[Judged, ...]:
    """Return every encoding in ``measured``, the best mean over its tasks first, as ``judge_draws``."""
    rng = np.random.default_rng(0)
    return judge_draws(
        {name: float(np.mean([values.mean() for values in tasks])) for name, tasks in measured.items()},
        {name: min(map(len, tasks)) for name, tasks in measured.items()},
        {name: np.mean([drawn_again(values, rng) for values in tasks], axis=0) for name, tasks in measured.items()},
        higher_is_better=higher_is_better,
    )


def judge_draws(
    means: Mapping[str, float],
    n_seeds: Mapping[str, int],
    draws: Mapping[str, Float[np.ndarray, " draw"]],
    *,
    higher_is_better: bool,
) -> tuple[Judged, ...]:
    """Return every encoding in ``means``, the best first, by what the same ``draws`` of all seeds gave each.

    An interval holds the middle 95 % of an encoding's draws. It may be the best unless it is worse than the one
    with the best mean in at least 97.5 % of the draws. With one seed, the ``n_seeds`` of an encoding, it is not judged.
    """
    ordered = sorted(means, key=lambda name: -means[name] if higher_is_better else means[name])
    first = next((name for name in ordered if n_seeds[name] > 1), None)
    return tuple(
        _judged(name, means[name], n_seeds[name], draws[name], draws[first], higher_is_better=higher_is_better)
        if first is not None and n_seeds[name] > 1
        else Judged(name, means[name], n_seeds[name])
        for name in ordered
    )


def drawn_again(values: Float[np.ndarray, " seed"], rng: np.random.Generator) -> Float[np.ndarray, " draw"]:
    """Return ``N_DRAWS`` means of as many ``values``, drawn with replacement (the bootstrap of Efron 1979)."""
    means: np.ndarray = values[rng.integers(len(values), size=(N_DRAWS, len(values)))].mean(axis=1)
    return means


def _judged(
    name: str,
    mean: float,
    n_seeds: int,
    drawn: Float[np.ndarray, " draw"],
    best: Float[np.ndarray, " draw"],
    *,
    higher_is_better: bool,
) -> Judged:
    low, high = np.quantile(drawn, (_OUTER, 1 - _OUTER))
    is_worse = drawn < best if higher_is_better else drawn > best
    return Judged(name, mean, n_seeds, float(low), float(high), bool(is_worse.mean() < 1 - _OUTER))
