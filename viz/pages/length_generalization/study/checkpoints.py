"""Effect of more training on a model that has learned its trained lengths.

Accuracy past those lengths still changes.

Checkpoints of a run are measured at regular steps and at every length, whether or not they are the best so far.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from jaxtyping import Float

from model.zoo.evaluate import LEARNED
from model.zoo.scores import mean_over, trained_scores
from viz.pages.length_generalization.study.ranking import lengths_tested

MIN_CHANGE = 0.05
"""A score that changes by less counts as unchanged."""

Change = Literal["falls", "rises", "stays"]


@dataclass(frozen=True)
class Checkpoints:
    """The checkpoints of all seeds of one encoding on one task.

    Attributes:
        steps: training steps at which they were saved.
        lengths: at which they were measured.
        seeds: of the runs.
        exact_match: of each checkpoint at each length; NaN where it was not measured.
        trained: exact match on held-out inputs of trained lengths.
        beyond: mean exact match over the lengths of the ranking, past the trained ones.
        n_inputs: the smallest and the largest number of inputs that a length was measured on.
    """

    steps: tuple[int, ...]
    lengths: tuple[int, ...]
    seeds: tuple[int, ...]
    exact_match: Float[np.ndarray, "seed step length"]
    trained: Float[np.ndarray, "seed step"]
    beyond: Float[np.ndarray, "seed step"]
    n_inputs: tuple[int, int]

    @property
    def learned(self) -> tuple[int, ...]:
        """The indices of ``steps`` from which on every seed has learned the task at all later checkpoints."""
        not_yet = np.flatnonzero(~(self.trained >= LEARNED).all(axis=0))
        return tuple(range(int(not_yet[-1]) + 1 if not_yet.size else 0, len(self.steps)))

    @property
    def change(self) -> Change | None:
        """The change of the mean past the trained lengths, from the first learned checkpoint to the last.

        None where there are fewer than two, or where one was not measured at all lengths of the ranking.
        """
        if len(self.learned) < 2 or np.isnan(self.beyond).any():
            return None
        if abs(self.gain) < MIN_CHANGE:
            return "stays"
        return "rises" if self.gain > 0 else "falls"

    @property
    def gain(self) -> float:
        """The rise of the mean past the trained lengths; only where :attr:`change` is known."""
        first, last = (float(self.beyond[:, index].mean()) for index in (self.learned[0], self.learned[-1]))
        return last - first


def most_changed(by_name: Mapping[str, Checkpoints]) -> str:
    """Return the name with the largest change past the trained lengths; the first without comparisons.

    Those with fewer seeds than others are passed over.
    """
    n_seeds = max(len(one.seeds) for one in by_name.values())
    whole = {name: one for name, one in by_name.items() if len(one.seeds) == n_seeds}
    compared = {name: abs(one.gain) for name, one in whole.items() if one.change is not None}
    return max(compared, key=lambda name: compared[name], default=next(iter(by_name)))


def encodings_with_checkpoints(results: pd.DataFrame, task: str) -> tuple[str, ...]:
    """Return the encodings whose checkpoints on ``task`` are in ``results``, in alphabetical order."""
    return () if results.empty else tuple(sorted(set(results.encoding[_during(results, task)])))


def checkpoints_of(results: pd.DataFrame, task: str, encoding: str) -> Checkpoints:
    """Return the checkpoints of ``encoding`` on ``task`` at the steps that all its seeds have.

    Raises:
        ValueError: no checkpoint, or no step in common.
    """
    rows = results[_during(results, task) & (results.encoding == encoding)]
    grid = rows.pivot(index=["seed", "step"], columns="length", values="exact_match")
    seeds = tuple(sorted({seed for seed, _ in grid.index}))
    steps = tuple(sorted({step for _, step in grid.index if all((seed, step) in grid.index for seed in seeds)}))
    if not steps:
        raise ValueError(f"the seeds of {encoding!r} on {task!r} have no checkpoint in common")
    order = pd.MultiIndex.from_product([seeds, steps])
    lengths = tuple(map(int, grid.columns))
    shape = (len(seeds), len(steps))
    values = grid.reindex(order).to_numpy(dtype=np.float64).reshape(*shape, len(lengths))  # [seed, step, length]
    trained = trained_scores(rows, "during", by=("seed", "step"))
    beyond = [_beyond(task, lengths, row) for row in values.reshape(-1, len(lengths))]  # [seed · step]
    return Checkpoints(
        steps,
        lengths,
        seeds,
        values,
        np.array([trained.get(key, np.nan) for key in order]).reshape(shape),  # [seed, step]
        np.array(beyond).reshape(shape),  # [seed, step]
        (int(rows.n.min()), int(rows.n.max())),
    )


def _during(results: pd.DataFrame, task: str) -> "pd.Series[bool]":
    return (results.checkpoint == "during") & (results.task == task)


def _beyond(task: str, lengths: tuple[int, ...], values: Float[np.ndarray, " length"]) -> float:
    measured = {length: value for length, value in zip(lengths, values, strict=True) if not np.isnan(value)}
    score = mean_over(lengths_tested(task), measured)
    return np.nan if score is None else score
