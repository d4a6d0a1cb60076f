"""Our own results of the zoo, at the lengths that the reading path asks about."""

import math

import numpy as np
import pandas as pd

from viz.base.claims import Claim, Claims
from viz.pages.start.study.published import exact_match_by_seed

# The five of the paper.
ENCODINGS = ("none", "t5", "alibi", "rotary", "sinusoidal")
TASKS = ("copy_repeat", "copy_letters", "reverse")
# The length that is asked about: so many times the longest trained one.
TIMES = 1.5
_LEAST = 0.95


def longest_trained(results: pd.DataFrame, task: str) -> int:
    """Return the length of the longest input that models of ``task`` were trained on."""
    return int(results[results.task == task].longest_trained.max())


def means_near(results: pd.DataFrame, task: str, length: float) -> dict[str, tuple[int, float]]:
    """Return by encoding the tested length that is nearest to ``length``, and the mean exact match there."""
    by_encoding = {}
    for name in ENCODINGS:
        lengths, values = exact_match_by_seed(results, task, name)
        if lengths:
            place = int(np.abs(np.array(lengths) - length).argmin())
            by_encoding[name] = (lengths[place], float(values[:, place].mean()))
    return by_encoding


def means_by_length(results: pd.DataFrame, task: str) -> tuple[tuple[int, ...], dict[str, tuple[float, ...]]]:
    """Return the tested lengths, and the mean exact match at each by encoding; NaN where not tested."""
    by_encoding = {name: exact_match_by_seed(results, task, name) for name in ENCODINGS}
    lengths = tuple(sorted({length for tested, _ in by_encoding.values() for length in tested}))
    means = {
        name: dict(zip(tested, values.mean(0).tolist(), strict=True)) for name, (tested, values) in by_encoding.items()
    }
    return lengths, {name: tuple(of.get(length, math.nan) for length in lengths) for name, of in means.items()}


def parted(zoo_results: pd.DataFrame) -> Claim:
    """Count tasks and encodings that are nearly always right at the longest trained length, and past it."""
    n_right = [
        sum(
            mean >= _LEAST
            for task in TASKS
            for _, mean in means_near(zoo_results, task, times * longest_trained(zoo_results, task)).values()
        )
        for times in (1, TIMES)
    ]
    short, long = n_right
    total = len(TASKS) * len(ENCODINGS)
    sizes = {"tasks": len(TASKS), "encodings": len(ENCODINGS), "total": total, "times": TIMES, "least": _LEAST}
    return Claim(long < short, sizes | {"short": short, "long": long})


COMPUTED_CLAIMS: Claims = {("pages/start/lengths", "claim parted"): parted}
