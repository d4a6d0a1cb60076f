"""Which of several encodings is best by what was measured, and which ones cannot be told from it.

Where several tasks are measured, tasks vary as well as seeds: both are drawn again (the bootstrap of Efron 1979), the
same tasks for every encoding. Where one task has few seeds, nothing is drawn: of three seeds such an interval would be
their range, which is what is given.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

N_DRAWS = 2000
FEW_SEEDS = 5
"""Up to so many seeds of one task, their range is given and no interval."""
LEAST_LEAD = 0.05
"""Of exact match: a lead of this or less counts as none. All seeds get the same inputs, so ranges leave out these."""
_OUTER = 0.025
"""Of the draws, what lies outside of their middle at each end."""

Values = Mapping[str, Float[np.ndarray, " _seed"]]
"""What each seed reached, by task; tasks may have other numbers of seeds."""
Families = Mapping[str, Sequence[str]]
"""Tasks by what they have in common; each family counts as one."""


@dataclass(frozen=True)
class Verdict:
    """An encoding's mean over tasks and seeds, its spread, and whether it may be the best.

    ``low`` and ``high`` are the ends of the middle 95 % of draws over tasks and seeds (a percentile bootstrap, which is
    too narrow over few tasks), or where ``is_range`` the worst and the best seed of one task; None where some task has
    a single seed. ``may_be_best`` is None there, and where not ``has_learned``.
    """

    name: str
    mean: float
    n_seeds: int
    low: float | None = None
    high: float | None = None
    may_be_best: bool | None = None
    is_range: bool = False
    has_learned: bool = True


def judge(
    measured: Mapping[str, Values],
    *,
    higher_is_better: bool,
    families: Families | None = None,
    not_learned: Collection[str] = (),
    least_lead: float = 0.0,
) -> tuple[Verdict, ...]:
    """Return every encoding in ``measured``, over the same tasks: those that learned, then the others.

    Each part has the best mean first. The mean is over tasks, or over ``families`` and the tasks within each. An
    encoding in ``not_learned`` is shown and not compared. ``least_lead`` is that of :func:`verdicts`.
    """
    if not measured:
        return ()
    tasks = tuple(next(iter(measured.values())))
    groups = [tuple(group) for group in (families or {task: (task,) for task in tasks}).values() if group]
    shares = task_shares(tasks, groups)
    means = {name: float(shares @ [values[task].mean() for task in tasks]) for name, values in measured.items()}
    n_seeds = {name: min(map(len, values.values())) for name, values in measured.items()}
    is_range = len(tasks) == 1 and min(n_seeds.values()) <= FEW_SEEDS
    spreads = _ranges(measured, tasks[0]) if is_range else _drawn(measured, tasks, groups)
    return verdicts(
        means,
        n_seeds,
        spreads,
        is_range=is_range,
        higher_is_better=higher_is_better,
        not_learned=not_learned,
        least_lead=least_lead,
    )


def verdicts(
    means: Mapping[str, float],
    n_seeds: Mapping[str, int],
    spreads: Mapping[str, Float[np.ndarray, " _value"]],
    *,
    is_range: bool,
    higher_is_better: bool = True,
    not_learned: Collection[str] = (),
    least_lead: float = 0.0,
) -> tuple[Verdict, ...]:
    """Return every encoding in ``means`` in the order of :func:`judge`, by seeds or by common draws.

    ``spreads`` are the seeds where ``is_range``; an encoding may then be the best if its range meets that of the best
    or the best mean leads by no more than ``least_lead``. Else they are draws, and it may be unless it is worse in
    97.5 % of them.
    """
    sign = 1 if higher_is_better else -1
    compared = {name for name in means if n_seeds[name] > 1 and name not in not_learned}
    ordered = sorted(means, key=lambda name: (name in not_learned, -sign * means[name]))
    first = next((name for name in ordered if name in compared), None)

    def judged(name: str) -> Verdict:
        low, high = (float(spreads[name].min()), float(spreads[name].max())) if is_range else interval(spreads[name])
        may_be_best = None
        if first is not None and name in compared:
            own, best = sign * spreads[name], sign * spreads[first]
            if is_range:
                lead = sign * (means[first] - means[name])
                may_be_best = bool(own.max() >= best.min() or lead <= least_lead)
            else:
                may_be_best = bool((own < best).mean() < 1 - _OUTER)
        has_spread = n_seeds[name] > 1
        return Verdict(
            name,
            means[name],
            n_seeds[name],
            low=low if has_spread else None,
            high=high if has_spread else None,
            may_be_best=may_be_best,
            is_range=is_range,
            has_learned=name not in not_learned,
        )

    return tuple(map(judged, ordered))


def task_shares(tasks: Sequence[str], groups: Sequence[Sequence[str]]) -> Float[np.ndarray, " task"]:
    """Return the share that each of ``tasks`` has in the mean over ``groups`` of the mean within each."""
    shares = np.zeros(len(tasks))
    for group in groups:
        for task in group:
            shares[tasks.index(task)] += 1 / len(group) / len(groups)
    return shares


def drawn_shares(
    tasks: Sequence[str], groups: Sequence[Sequence[str]], rng: np.random.Generator
) -> Float[np.ndarray, "draw task"]:
    """Return ``N_DRAWS`` bootstrap shares of ``tasks``, by groups and by tasks within each."""
    drawn = np.zeros((N_DRAWS, len(tasks)))
    rows = np.arange(N_DRAWS)
    for _ in groups:
        chosen = rng.integers(len(groups), size=N_DRAWS)
        for number, group in enumerate(groups):
            own = rows[chosen == number]
            places = np.array([tasks.index(task) for task in group])
            for _ in group:
                picked = places[rng.integers(len(group), size=len(own))]
                drawn[own, picked] += 1 / len(group) / len(groups)
    return drawn


def drawn_again(values: Float[np.ndarray, " seed"], rng: np.random.Generator) -> Float[np.ndarray, " draw"]:
    """Return ``N_DRAWS`` means of as many ``values``, drawn with replacement."""
    means: np.ndarray = values[rng.integers(len(values), size=(N_DRAWS, len(values)))].mean(axis=1)
    return means


def interval(drawn: Float[np.ndarray, " draw"]) -> tuple[float, float]:
    """Return the ends of the middle 95 % of ``drawn``."""
    low, high = np.quantile(drawn, (_OUTER, 1 - _OUTER))
    return float(low), float(high)


def _ranges(measured: Mapping[str, Values], task: str) -> dict[str, Float[np.ndarray, " seed"]]:
    return {name: values[task] for name, values in measured.items()}


def _drawn(
    measured: Mapping[str, Values], tasks: Sequence[str], groups: Sequence[Sequence[str]]
) -> dict[str, Float[np.ndarray, " draw"]]:
    """Return the means of every encoding in the same draws of tasks, and in draws of its own seeds."""
    rng = np.random.default_rng(0)
    shares = drawn_shares(tasks, groups, rng)
    return {
        name: (shares * np.stack([drawn_again(values[task], rng) for task in tasks], axis=1)).sum(axis=1)
        for name, values in measured.items()
    }


def level(rows: Sequence[Verdict]) -> tuple[str, ...]:
    """Return the names of ``rows`` that cannot be told from the first, the first among them."""
    return tuple(row.name for row in rows if row.may_be_best)
