"""Claims of the pages on length: one task past its trained lengths, and the ranking over all tasks."""

import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd

from model.tasks import find
from model.zoo.evaluate import LEARNED
from model.zoo.verdicts import level
from viz.base.claims import Claim, Claims, Names
from viz.pages.length_generalization.accuracy import measured, near_twice
from viz.pages.length_generalization.study.ranking import Ranking, Scores, judged_ranking, ranking, scores


def past_training(zoo_results: pd.DataFrame, task: str) -> Claim:
    """Return whether most learned encodings fail at about twice the length, and which is best there.

    What fails has less than half of what guessing leaves to be right. ``zoo_results`` have runs of ``task``.
    """
    shown, description = measured(zoo_results, task), find(task).description
    lengths = sorted({int(length) for seeds in shown.by_encoding.values() for length in seeds.lengths})
    length = near_twice(lengths, shown.longest_trained)
    reached = {
        name: float(np.nanmean(seeds.values[:, seeds.lengths.index(length)]))
        for name, seeds in shown.by_encoding.items()
        if name not in shown.not_learned and length in seeds.lengths
    }
    least = (1 + (description.guessed or 0)) / 2
    most = max(reached.values(), default=0.0)
    fallen = sum(value < least for value in reached.values())
    values = {
        "trained": shown.longest_trained,
        "length": length,
        "unit": Names("unit", (description.unit,)),
        "fallen": fallen,
        "n": len(reached),
        "all": len(shown.by_encoding),
        "least": least,
        "learned": LEARNED,
        "best": Names("encoding", tuple(name for name, value in reached.items() if value == most)),
        "most": most,
    }
    return Claim(2 * fallen > len(reached), values)


def first_place(by_task: Scores) -> Claim:
    """Return whether one encoding is first over tasks and over families alike, whatever is drawn again."""
    shown = ranking(by_task)
    over_tasks, over_families = (judged_ranking(by_task, shown, by_family=by_family) for by_family in (False, True))
    if not over_tasks:
        return Claim(False, dict.fromkeys(("first", "best", "near", "family_first", "family_best", "family_near"), ""))
    near, family_near = level(over_tasks), level(over_families)
    values = {
        "first": Names("encoding", (over_tasks[0].name,)),
        "best": f"{over_tasks[0].mean:.2f}",
        "family_first": Names("encoding", (over_families[0].name,)),
        "family_best": f"{over_families[0].mean:.2f}",
        "near": Names("encoding", near),
        "family_near": Names("encoding", family_near),
    }
    return Claim(near == family_near == (over_tasks[0].name,), values)


def first_by_family(by_task: Scores) -> Claim:
    """Return whether the encoding with the highest rank over all tasks has it in every family, too."""
    shown = ranking(by_task)
    first = shown.best_first[0] if shown.encodings else ""
    led = tuple(family for family, row in shown.by_family.items() if _first_of(row) == (first,))
    rest = {family: row for family, row in shown.by_family.items() if family not in led}
    leaders = tuple(dict.fromkeys(name for row in rest.values() for name in _first_of(row)))
    values = {
        "first": Names("encoding", (first,)),
        "led": Names("family", led),
        "rest": Names("family", tuple(rest)),
        "leaders": Names("encoding", leaders),
    }
    return Claim(bool(led) and not rest, values)


def _first_of(row: Mapping[str, float]) -> tuple[str, ...]:
    """Return the encodings of ``row`` with the highest rank, which several may share."""
    return tuple(name for name, value in row.items() if math.isclose(value, max(row.values())))


def unlearned_tasks(by_task: Scores, shown: Ranking) -> tuple[str, ...]:
    """Return the tasks that most encodings did not learn.

    ``shown`` leaves them out, though all of its encodings were measured.
    """
    every = {*shown.encodings}
    return tuple(task for task, row in by_task.items() if every and task not in shown.tasks and every <= {*row})


def unlearned(by_task: Scores) -> Claim:
    """Return whether a task is left out, or an encoding not ranked on some, because it was not learned."""
    shown = ranking(by_task)
    left_out = unlearned_tasks(by_task, shown)
    values = {
        "tasks": Names("task", left_out),
        "encodings": Names("encoding", tuple(name for name in shown.best_first if name in shown.unlearned)),
        "least": LEARNED,
    }
    return Claim(bool(left_out or shown.unlearned), values)


def _of_results(claim: Callable[[Scores], Claim], zoo_results: pd.DataFrame) -> Claim:
    return claim(scores(zoo_results))


_TASKS = ("copy_repeat", "reverse", "lego", "recall")
"""Tasks that models ship for: with few and with many answers, and of every kind of input."""

COMPUTED_CLAIMS: Claims = {
    ("pages/length_generalization/cliff", "claim past"): tuple(partial(past_training, task=task) for task in _TASKS),
} | {
    ("pages/length_generalization/ranking", f"claim {name}"): partial(_of_results, claim)
    for name, claim in (("first", first_place), ("families", first_by_family), ("unlearned", unlearned))
}
