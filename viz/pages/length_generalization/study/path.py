"""PaTH past the trained length: on which tasks every seed leads, how sure that is, and its costs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from model.tasks import find
from model.zoo.plan import AS_PUBLISHED
from viz.base.claims import Claim, Claims, Names
from viz.pages.length_generalization.study.ranking import Score, scores

PATH, BESIDE = "path", "rotary"
TASKS = ("parity", "lego", "sum_mod_10", "reverse")
"""The tasks that were trained with more seeds of PaTH."""
FAR = 5
"""Times the longest trained length."""
_PARITY = "parity"
_NEAR_GUESSING = 0.1
"""Exact match that is not farther than this above guessing is near it."""

_WORDS = "pages/length_generalization/path"


@dataclass(frozen=True)
class PathOnTask:
    """PaTH on one task, past the trained length, beside the best of the other encodings that learned it.

    Attributes:
        task: its name.
        own: the scores of PaTH, which say whether every seed has learned the task.
        other: the encoding with the best seed of the others that learned the task; None where none did.
        other_score: its scores.
        far: exact match of PaTH at ``FAR`` times the trained length, by seed.
    """

    task: str
    own: Score
    other: str | None
    other_score: Score | None
    far: Mapping[int, float]

    @property
    def is_ahead(self) -> bool:
        """Whether every seed of PaTH is right more often than every seed of all others that learned the task."""
        return self.other_score is None or self.own.low > self.other_score.high


def far_length(task: str) -> int:
    """Return the length in the column of ``FAR`` times the trained one."""
    return FAR * find(task).description.train_lengths[1]


def path_on_tasks(zoo_results: pd.DataFrame) -> list[PathOnTask]:
    """Return PaTH on each task it was trained on, ``TASKS`` first; ``zoo_results`` may be empty."""
    by_task = scores(zoo_results)
    tasks = dict.fromkeys((*TASKS, *by_task))
    return [_on_task(task, by_task[task], zoo_results) for task in tasks if PATH in by_task.get(task, {})]


def with_more_seeds(entries: Iterable[PathOnTask]) -> list[PathOnTask]:
    """Return those of ``entries`` that are on one of ``TASKS``."""
    return [entry for entry in entries if entry.task in TASKS]


def _on_task(task: str, row: Mapping[str, Score], results: pd.DataFrame) -> PathOnTask:
    # A worst seed is held against the best seed of all others, so the one with the best seed stands beside it.
    others = {
        name: score for name, score in row.items() if score.has_learned and name != PATH and name not in AS_PUBLISHED
    }
    other = max(others, key=lambda name: others[name].high, default=None)
    rows = results[(results.checkpoint == "best") & (results.encoding == PATH) & (results.task == task)]
    rows = rows[rows.length == far_length(task)]
    far = dict(zip(rows.seed.tolist(), rows.exact_match.tolist(), strict=True))
    return PathOnTask(task, row[PATH], other, others.get(other or ""), far)


def holds(entries: Sequence[PathOnTask]) -> Claim:
    """Return those of ``TASKS`` on which every seed of PaTH is ahead of every seed of all others.

    Others are those that learned the task. Beside them stands on how many it is so of all tasks that some other
    learned, too. Tasks that not every seed of PaTH has learned are left out.
    """
    learned = [entry for entry in entries if entry.own.has_learned]
    compared = [entry for entry in learned if entry.other is not None]
    more = with_more_seeds(learned)
    ahead = tuple(entry.task for entry in more if entry.is_ahead)
    values = {
        "n": len(ahead),
        "all": len(more),
        "tasks": Names("task", ahead),
        "n_everywhere": sum(entry.is_ahead for entry in compared),
        "everywhere": len(compared),
    }
    return Claim(bool(ahead), values)


def near_guessing(entries: Sequence[PathOnTask]) -> Claim:
    """Return how many seeds of PaTH are near guessing on parity far past the trained length, if any."""
    guessed = find(_PARITY).description.guessed or 0.0
    far = next((entry.far for entry in entries if entry.task == _PARITY), {})
    near = sum(value <= guessed + _NEAR_GUESSING for value in far.values())
    values = {
        "n": near,
        "all": len(far),
        "length": far_length(_PARITY),
        "times": FAR,
        "least": guessed + _NEAR_GUESSING,
    }
    return Claim(bool(near), values)


def costs(encoding_costs: pd.DataFrame) -> Claim:
    """Return how many times longer PaTH takes than rotary, for reading and for writing."""
    if encoding_costs.empty or not {PATH, BESIDE} <= {*encoding_costs.encoding}:
        return Claim(False)
    reading, writing = (
        _times_as_long(encoding_costs, column) for column in ("read_milliseconds", "write_milliseconds")
    )
    values = {"reading": reading, "writing": writing, "n_tokens": int(encoding_costs.n_tokens.max())}
    return Claim(min(reading, writing) > 1, values)


def _times_as_long(encoding_costs: pd.DataFrame, column: str) -> float:
    of = dict(zip(encoding_costs.encoding, encoding_costs[column].tolist(), strict=True))
    return float(of[PATH] / of[BESIDE])


def _of_results(claim: Callable[[Sequence[PathOnTask]], Claim], zoo_results: pd.DataFrame) -> Claim:
    return claim(path_on_tasks(zoo_results))


COMPUTED_CLAIMS: Claims = {
    (_WORDS, "claim holds"): partial(_of_results, holds),
    (_WORDS, "claim near guessing"): partial(_of_results, near_guessing),
    (_WORDS, "claim costs"): costs,
}
