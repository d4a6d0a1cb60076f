"""Zoo results of one task: accuracy by encoding, seed and length, and missing runs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from model.zoo.evaluate import LEARNED
from model.zoo.plan import ENCODINGS, ON_FEW_TASKS, tasks_in_order
from model.zoo.scores import worst_trained
from viz.figures.cliff import Seeds


@dataclass(frozen=True)
class TaskAccuracy:
    """Results of one task: accuracy by encoding, the longest trained input, and unlearned encodings."""

    by_encoding: Mapping[str, Seeds]
    longest_trained: int
    not_learned: Mapping[str, float]

    @property
    def compared(self) -> dict[str, Seeds]:
        """Accuracy of the encodings that are drawn: those that learned the task, or all where one or none did."""
        learned = {name: seeds for name, seeds in self.by_encoding.items() if name not in self.not_learned}
        return learned if len(learned) > 1 else dict(self.by_encoding)


def measured(results: pd.DataFrame, task: str) -> TaskAccuracy:
    """Return what ``results`` say of ``task``, which they have runs of."""
    rows = best(results, task)
    return TaskAccuracy(_accuracy(rows), int(rows.longest_trained.max()), not_learned(rows, task))


def measured_at(results: pd.DataFrame, task: str, step: int) -> dict[str, Seeds]:
    """Return accuracy on ``task`` after ``step`` steps of training, by encoding."""
    return _accuracy(during(results, task, step))


def steps_measured(results: pd.DataFrame, task: str) -> list[int]:
    """Return the training steps after which every run on ``task`` was measured."""
    rows = results[(results.task == task) & (results.checkpoint == "during")]
    n_runs = len(best(results, task)[["encoding", "seed"]].drop_duplicates())
    n_by_step = Counter(rows[["step", "encoding", "seed"]].drop_duplicates().step.tolist())
    return sorted(step for step, n in n_by_step.items() if n == n_runs)


def tasks_measured(results: pd.DataFrame) -> list[str]:
    """Return the tasks with runs in ``results``: by number of encodings, then in the plan's order.

    Encodings that were trained on a few tasks on purpose do not count.
    """
    if results.empty:
        return []
    encodings = results[~results.encoding.isin(ON_FEW_TASKS)].groupby("task").encoding.nunique()
    return sorted((task for task in tasks_in_order() if task in encodings), key=lambda task: -int(encodings[task]))


def _accuracy(rows: pd.DataFrame) -> dict[str, Seeds]:
    """Return exact match by encoding, in the plan's order of encodings."""
    by_encoding = {}
    for number, encoding in enumerate(ENCODINGS):
        own = rows[rows.encoding == encoding]
        if not own.empty:
            grid = own.pivot(index="seed", columns="length", values="exact_match")
            by_encoding[encoding] = Seeds(tuple(map(int, grid.columns)), grid.to_numpy(dtype=np.float64), number)
    return by_encoding


def not_learned(results: pd.DataFrame, task: str) -> dict[str, float]:
    """Return the encodings that have not learned ``task`` with every seed, by what the worst one reached."""
    if results.empty:
        return {}
    worst = worst_trained(results[results.task == task])
    return {encoding: value for (_, encoding), value in worst.items() if value < LEARNED}


def near_twice(lengths: Sequence[int], trained: int) -> int:
    """Return the one of ``lengths`` that is nearest to twice the longest ``trained`` on."""
    return min(lengths, key=lambda length: abs(length - 2 * trained))


def farthest(by_encoding: Mapping[str, Seeds], trained: int) -> str:
    """Return the encoding with the best exact match past ``trained``, a mean over lengths and seeds.

    One that was not measured there counts as 0.
    """

    def past(name: str) -> float:
        values = by_encoding[name].values[:, np.array(by_encoding[name].lengths) > trained]
        known = values[~np.isnan(values)]
        return float(known.mean()) if known.size else 0.0

    return max(by_encoding, key=past)


def best(results: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return the rows of ``results`` that measure the best checkpoint of each run on ``task``."""
    return results[(results.task == task) & (results.checkpoint == "best")]


def during(results: pd.DataFrame, task: str, step: int) -> pd.DataFrame:
    """Return the rows of ``results`` that measure the runs on ``task`` after ``step`` steps of training."""
    return results[(results.task == task) & (results.checkpoint == "during") & (results.step == step)]
