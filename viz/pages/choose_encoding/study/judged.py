"""Which of several encodings is best by what was measured, and which ones the seeds cannot tell from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

N_DRAWS = 2000
_OUTER = 0.025
"""Of the draws, at each end of an interval of 95 %."""

Values = Sequence[Float[np.ndarray, " seed"]]
"""What each seed reached, task by task."""


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
    """Return every encoding in ``measured``, the best mean first.

    The seeds of each task are drawn again with replacement ``N_DRAWS`` times (the bootstrap of Efron 1979). An interval
    holds the middle 95 % of the means of these draws. An encoding may be the best unless it is worse than the one with
    the best mean in at least 97.5 % of the draws.
    """
    rng = np.random.default_rng(0)
    means = {name: float(np.mean([values.mean() for values in tasks])) for name, tasks in measured.items()}
    ordered = sorted(means, key=lambda name: -means[name] if higher_is_better else means[name])
    seeds = {name: min(map(len, tasks)) for name, tasks in measured.items()}
    draws = {name: _drawn(measured[name], rng) for name in ordered if seeds[name] > 1}
    first = next(iter(draws), None)
    return tuple(
        _judged(name, means[name], seeds[name], draws[name], draws[first], higher_is_better=higher_is_better)
        if first is not None and name in draws
        else Judged(name, means[name], seeds[name])
        for name in ordered
    )


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


def _drawn(tasks: Values, rng: np.random.Generator) -> Float[np.ndarray, " draw"]:
    """Return the means over tasks of seeds drawn with replacement."""
    by_task = [values[rng.integers(len(values), size=(N_DRAWS, len(values)))].mean(axis=1) for values in tasks]
    means: np.ndarray = np.mean(by_task, axis=0)
    return means
