"""The scores of a model of the zoo: whether it learned its task, and one number past its lengths."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from model.zoo.evaluate import LEARNED

_ENOUGH = 100  # test inputs, so that a few do not decide what is learned


def mean_over(lengths: Sequence[int], measured: Mapping[int, float]) -> float | None:
    """Return the mean over ``lengths`` of ``measured``, by length; None if it does not reach as far.

    Only measured lengths from the first of ``lengths`` on count; below the first of these its value is used.
    """
    beyond = sorted(length for length in measured if length >= lengths[0])
    if not beyond or beyond[-1] < lengths[-1]:
        return None
    return float(np.interp(lengths, beyond, [measured[length] for length in beyond]).mean())


def trained_scores(
    results: pd.DataFrame, checkpoint: str = "best", by: Sequence[str] = ("task", "encoding", "seed")
) -> dict[tuple[Any, ...], float]:
    """Return the accuracy at the trained lengths of a checkpoint of each run, by the columns ``by``.

    It is the share of all test inputs of these lengths that are answered right. Some tasks have few short inputs. Where
    they are fewer than a hundred, it is that of the inputs of all trained lengths that chose the best checkpoint, which
    are then nearly all that there are. ``results`` may be empty.
    """
    if results.empty:
        return {}
    rows = results[results.checkpoint == checkpoint]
    n_trained = rows.n.where(rows.length <= rows.longest_trained, 0)
    groups = rows.assign(n=n_trained, right=rows.exact_match * n_trained).groupby([*by])
    n = groups.n.sum()
    share = (groups.right.sum() / n).where(n >= _ENOUGH, groups.validation_exact_match.first())
    return dict(zip(share.index, share.tolist(), strict=True))


def worst_trained(results: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return the least of :func:`trained_scores` over the seeds, by task and encoding."""
    worst: dict[tuple[str, str], float] = {}
    for (task, encoding, _), value in trained_scores(results).items():
        worst[task, encoding] = min(value, worst.get((task, encoding), 1.0))
    return worst


def learned(results: pd.DataFrame) -> set[tuple[str, str]]:
    """Return the pairs of task and encoding that every seed has learned, by ``LEARNED``."""
    return {pair for pair, value in worst_trained(results).items() if value >= LEARNED}


def learnable(results: pd.DataFrame) -> tuple[str, ...]:
    """Return the tasks of ``results`` that more than half of the encodings trained on them have learned.

    What most have not learned says nothing of longer inputs.
    """
    pairs, known = {*worst_trained(results)}, learned(results)
    tasks = dict.fromkeys(task for task, _ in sorted(pairs))
    return tuple(
        task for task in tasks if 2 * sum(pair[0] == task for pair in known) > sum(pair[0] == task for pair in pairs)
    )
