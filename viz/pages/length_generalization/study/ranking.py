"""Ranking of the zoo's encodings by accuracy past their trained lengths, task by task.

A score is exact match past the trained lengths: the mean over every length tested, with a straight line between the
lengths that were measured, because these lie closer together where the trained ones end.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from jaxtyping import Float

from model.tasks import find
from model.zoo.scores import learned, mean_over
from model.zoo.verdicts import Verdict, drawn_again, drawn_shares, task_shares, verdicts
from viz.pages.length_generalization.study.published import PublishedTask, published

LARGE = 0.2
"""Two scores on the same lengths that differ by more than this are said to disagree."""
_TIED_WITHIN = 1e-9

Table = Mapping[str, Mapping[str, float]]
"""Scores by task, then by encoding."""


@dataclass(frozen=True)
class Score:
    """Results of an encoding's seeds on one task past the trained lengths, from 0 to 1.

    ``has_learned`` is whether each of them learned the task at these lengths: what did not says nothing past them.
    """

    by_seed: Mapping[int, float]
    has_learned: bool = True

    @property
    def values(self) -> Float[np.ndarray, " seed"]:
        """The result of each seed."""
        return np.array(list(self.by_seed.values()))

    @property
    def mean(self) -> float:
        """Over the seeds."""
        return sum(self.by_seed.values()) / len(self.by_seed)

    @property
    def low(self) -> float:
        """The worst seed."""
        return min(self.by_seed.values())

    @property
    def high(self) -> float:
        """The best seed."""
        return max(self.by_seed.values())


Scores = Mapping[str, Mapping[str, Score]]
"""Scores of every seed by task, then by encoding."""


@dataclass(frozen=True)
class Ranking:
    """Mean reciprocal rank of each of ``encodings`` over ``tasks``, here and, if compared, in the paper.

    Attributes:
        tasks: what is ranked.
        encodings: who takes part.
        ours: the mean over the tasks.
        theirs: the paper's.
        by_family: the mean over the tasks of each family.
        unlearned: of each encoding, on how many of the tasks it was not ranked since it had not learned them.
    """

    tasks: tuple[str, ...]
    encodings: tuple[str, ...]
    ours: Mapping[str, float]
    theirs: Mapping[str, float]
    by_family: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    unlearned: Mapping[str, int] = field(default_factory=dict)

    @property
    def best_first(self) -> tuple[str, ...]:
        """The encodings, the one with the highest mean reciprocal rank here first."""
        return tuple(sorted(self.encodings, key=lambda name: -self.ours[name]))

    @property
    def over_families(self) -> Mapping[str, float]:
        """The mean over the families of each encoding."""
        rows = self.by_family.values()
        return {name: sum(row[name] for row in rows) / len(rows) for name in self.encodings}


@dataclass(frozen=True)
class Disagreement:
    """Disagreement between our scores and the paper's on one task.

    Attributes:
        task: where.
        ours: score here of every encoding compared.
        theirs: score there.
        is_order: whether the first two are others, or come in another order.
        far: the encodings whose scores differ by more than ``LARGE``, the farthest first.
    """

    task: str
    ours: Mapping[str, float]
    theirs: Mapping[str, float]
    is_order: bool
    far: tuple[str, ...]


def lengths_tested(task: str) -> tuple[int, ...]:
    """Return the lengths that a score on ``task`` is over.

    They are the paper's, or go as far as twice the longest trained on, or as the longest that the task has.
    """
    if task in published().tasks:
        return published().tasks[task].lengths
    description = find(task).description
    trained = description.train_lengths[1]
    return tuple(range(trained + 1, min(2 * trained, description.longest) + 1))


def scores(results: pd.DataFrame) -> dict[str, dict[str, Score]]:
    """Return the scores of the best checkpoints in ``results``, which may be empty or in part."""
    if results.empty:
        return {}
    rows = results[results.checkpoint == "best"]
    columns = (rows.task, rows.encoding, rows.seed, rows.length, rows.exact_match)
    runs: dict[tuple[str, str, int], dict[int, float]] = {}
    for task, encoding, seed, length, value in zip(*(column.tolist() for column in columns), strict=True):
        runs.setdefault((task, encoding, seed), {})[length] = value
    by_task: dict[str, dict[str, dict[int, float]]] = {}
    for (task, encoding, seed), by_length in sorted(runs.items()):
        score = mean_over(lengths_tested(task), by_length)
        if score is not None:
            by_task.setdefault(task, {}).setdefault(encoding, {})[seed] = score
    known = learned(results)
    return {
        task: {name: Score(seeds, (task, name) in known) for name, seeds in row.items()}
        for task, row in by_task.items()
    }


def means(by_task: Scores) -> dict[str, dict[str, float]]:
    """Return the mean over the seeds of each score in ``by_task``."""
    return {task: {name: score.mean for name, score in row.items()} for task, row in by_task.items()}


def reciprocal_ranks(values: Float[np.ndarray, "encoding *draw"]) -> Float[np.ndarray, "encoding *draw"]:
    """Return 1 for the encoding with the highest of ``values``, 1/2 for the second, and so on, by draw.

    Those that tie share the mean of the reciprocals of their places, so the sum is the same with and without ties.
    """
    others = values[None] - values[:, None]
    n_ahead = (others > _TIED_WITHIN).sum(axis=1)
    n_level = (abs(others) <= _TIED_WITHIN).sum(axis=1)
    up_to = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, len(values) + 1))])
    ranks: np.ndarray = (up_to[n_ahead + n_level] - up_to[n_ahead]) / n_level
    return ranks


def mean_reciprocal_rank(table: Table, tasks: Iterable[str], encodings: Sequence[str]) -> dict[str, float]:
    """Return each encoding's mean reciprocal rank over ``tasks``; ``table`` has all of ``encodings``."""
    by_task = [reciprocal_ranks(np.array([table[task][name] for name in encodings])) for task in tasks]
    return dict(zip(encodings, np.mean(by_task, axis=0).tolist(), strict=True))


def families(tasks: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return ``tasks`` by their family, in their order; one without a family is its own."""
    by_family: dict[str, tuple[str, ...]] = {}
    for task in tasks:
        family = find(task).description.family or task
        by_family[family] = (*by_family.get(family, ()), task)
    return by_family


def judged_ranking(by_task: Scores, shown: Ranking, *, by_family: bool = False) -> tuple[Verdict, ...]:
    """Return the encodings of ``shown``, best first, with the spread of their mean reciprocal ranks.

    The tasks are drawn again, the same for all, and the seeds of every encoding on each; all are ranked again in each
    draw. The mean is over tasks, or over families and the tasks within each, which are then drawn likewise.
    """
    if not shown.tasks:
        return ()
    rng = np.random.default_rng(0)
    grouped = families(shown.tasks).values() if by_family else [(task,) for task in shown.tasks]
    ranks = np.stack(
        [
            _learned_ranks(by_task[task], shown.encodings, lambda score: drawn_again(score.values, rng))
            for task in shown.tasks
        ]
    )  # [task, encoding, draw]
    shares = drawn_shares(shown.tasks, [*grouped], rng)  # [draw, task]
    draws = np.einsum("ted,dt->ed", ranks, shares)
    return verdicts(
        shown.over_families if by_family else shown.ours,
        {name: min(len(by_task[task][name].by_seed) for task in shown.tasks) for name in shown.encodings},
        dict(zip(shown.encodings, draws, strict=True)),
        is_range=False,
    )


def _learned_ranks(
    row: Mapping[str, Score], encodings: Sequence[str], read: Callable[[Score], Float[np.ndarray, " *draw"]]
) -> Float[np.ndarray, "encoding *draw"]:
    """Return the reciprocal ranks by ``read`` of each score; 0 for an encoding that has not learned."""
    values = np.stack([read(row[name]) if row[name].has_learned else read(row[name]) * 0 - 1 for name in encodings])
    ranks = reciprocal_ranks(values)
    ranks[[not row[name].has_learned for name in encodings]] = 0
    return ranks


def without_gaps(table: Table) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tasks and encodings of the largest complete part of ``table``.

    In it, every encoding has every task.

    Two encodings at least, or it is empty. A rank means the same on each of these tasks, which it would not if some
    encodings took part in some of them only. Looked at are the encodings of each task, and those that two tasks share.
    """
    rows = [frozenset(row) for row in table.values()]
    known = tuple(dict.fromkeys(name for row in table.values() for name in row))
    best: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    for shared in dict.fromkeys(one & other for one in rows for other in rows):
        tasks = tuple(task for task, row in table.items() if shared <= set(row))
        if len(shared) > 1 and len(tasks) * len(shared) > len(best[0]) * len(best[1]):
            best = tasks, tuple(name for name in known if name in shared)
    return best


def ranking(by_task: Scores) -> Ranking:
    """Return the ranking of all encodings of the zoo, over the largest part of ``by_task`` without gaps.

    A task that half of the encodings or more have not learned is no part of it. On the others, what has not learned the
    task is not ranked, which counts as 0.
    """
    kept = {
        task: row for task, row in by_task.items() if 2 * sum(score.has_learned for score in row.values()) > len(row)
    }
    tasks, encodings = without_gaps(means(kept))
    if not tasks:
        return _no_ranking()
    ranks = np.stack([_learned_ranks(by_task[task], encodings, lambda score: np.array(score.mean)) for task in tasks])
    grouped = families(tasks)
    return Ranking(
        tasks,
        encodings,
        dict(zip(encodings, ranks.mean(axis=0).tolist(), strict=True)),
        {},
        by_family={
            family: dict(zip(encodings, (task_shares(tasks, [own]) @ ranks).tolist(), strict=True))
            for family, own in grouped.items()
        },
        unlearned={name: n for name in encodings if (n := sum(not by_task[task][name].has_learned for task in tasks))},
    )


def compared_ranking(ours: Table, theirs: Mapping[str, PublishedTask]) -> Ranking:
    """Return the rankings of ``ours`` and ``theirs`` among the same encodings over the same tasks."""
    common = {task: _common(ours[task], paper.exact_match) for task, paper in theirs.items() if task in ours}
    tasks, encodings = without_gaps(common)
    if not tasks:
        return _no_ranking()
    paper = {task: theirs[task].exact_match for task in tasks}
    return Ranking(
        tasks,
        encodings,
        mean_reciprocal_rank(ours, tasks, encodings),
        mean_reciprocal_rank(paper, tasks, encodings),
    )


def first_two(row: Mapping[str, float]) -> set[tuple[str, str]]:
    """Return the possible pairs of first and second by the values in ``row``: several with ties."""
    ordered = sorted(row.values(), reverse=True)
    if len(ordered) < 2:
        return set()
    first, second = (value - _TIED_WITHIN for value in ordered[:2])
    return {(one, other) for one in row for other in row if one != other and row[one] >= first and row[other] >= second}


def disagreements(ours: Table, theirs: Mapping[str, PublishedTask]) -> list[Disagreement]:
    """Return the tasks on which ``ours`` and ``theirs`` part, in the paper's order of tasks.

    The first two are compared among the encodings that both measured, on tasks where there are two of them.
    """
    disagreeing = []
    for task, paper in theirs.items():
        here = _common(ours.get(task, {}), paper.exact_match)
        there = {name: paper.exact_match[name] for name in here}
        apart = {name: abs(here[name] - there[name]) for name in here}
        far = tuple(sorted((name for name in apart if apart[name] > LARGE), key=lambda name: -apart[name]))
        is_order = len(here) > 1 and not first_two(here) & first_two(there)
        if is_order or far:
            disagreeing.append(Disagreement(task, here, there, is_order, far))
    return disagreeing


def n_compared(ours: Table, theirs: Mapping[str, PublishedTask]) -> tuple[int, int]:
    """Return the numbers of tasks, and of pairs of task and encoding, that ours and theirs share."""
    common = [_common(ours.get(task, {}), paper.exact_match) for task, paper in theirs.items()]
    return sum(bool(row) for row in common), sum(map(len, common))


def _common(ours: Mapping[str, float], theirs: Mapping[str, float]) -> dict[str, float]:
    """Return the entries of ``ours`` that are in ``theirs`` too, in the order of ``theirs``."""
    return {name: ours[name] for name in theirs if name in ours}


def _no_ranking() -> Ranking:
    return Ranking((), (), {}, {})
