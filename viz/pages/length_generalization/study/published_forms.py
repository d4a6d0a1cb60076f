"""Encodings as their papers have them, beside the app's own simpler forms, past the trained length."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np
import pandas as pd

from model.tasks import find
from model.zoo.data import longest_row
from model.zoo.plan import AS_PUBLISHED, ENCODINGS
from viz.base.claims import Claim, Claims
from viz.pages.length_generalization.study.pairs import pair_names
from viz.pages.length_generalization.study.ranking import Score, scores

_SEVERAL = 2
_SIGNIFICANT = 0.05
# Scores that differ in later digits only are alike on the page, and no form is ahead by them.
_DIGITS = 2


@dataclass(frozen=True)
class FormPair:
    """The scores of both forms of an encoding on one task; ``name`` is that of the published form."""

    task: str
    name: str
    own: Score
    published: Score

    @property
    def forms(self) -> tuple[Score, Score]:
        """The app's own form and the published one."""
        return self.own, self.published

    @property
    def is_judged(self) -> bool:
        """Whether both forms have learned the task, with several seeds."""
        return all(form.has_learned and len(form.by_seed) >= _SEVERAL for form in self.forms)

    @property
    def is_ahead(self) -> bool:
        """Whether all seeds of the published form are right more often than all of the app's own."""
        return round(self.published.low, _DIGITS) > round(self.own.high, _DIGITS)

    @property
    def is_behind(self) -> bool:
        """Whether all seeds of the published form are right less often than all of the app's own."""
        return round(self.published.high, _DIGITS) < round(self.own.low, _DIGITS)

    @property
    def by_chance(self) -> float:
        """The probability, without ties, that one of both holds if all seeds come from one distribution."""
        n_own, n_published = (len(form.by_seed) for form in self.forms)
        return 2 / math.comb(n_own + n_published, n_own)


def form_pairs(zoo_results: pd.DataFrame) -> list[FormPair]:
    """Return both forms of every encoding that was trained in both on a task, by form, then by task.

    A form whose window hides nothing in training is left out.
    """
    by_task = scores(zoo_results)
    return [
        FormPair(task, name, row[own], row[name])
        for name, own in AS_PUBLISHED.items()
        for task, row in by_task.items()
        if own in row and name in row and acts_in_training(name, task)
    ]


def window_of(name: str) -> int:
    """Return how many tokens the encoding lets its layers see; 0 if all."""
    return int(ENCODINGS[name].parameters.get("window", 0))


def acts_in_training(name: str, task: str) -> bool:
    """Whether the encoding has no window, or one that some trained row is longer than."""
    window = window_of(name)
    return not window or longest_row(find(task), find(task).description.train_lengths[1]) > window


def apart(pairs: Sequence[FormPair]) -> Claim:
    """Return in how many pairs every seed of one form is ahead of all of the other, beside chance.

    It holds where as many or more are improbable if all seeds of a pair come from one distribution.
    """
    judged = [pair for pair in pairs if pair.is_judged]
    n_apart = sum(pair.is_ahead or pair.is_behind for pair in judged)
    chances = [pair.by_chance for pair in judged]
    of_n = reduce(np.convolve, ([1 - chance, chance] for chance in chances), np.ones(1))
    probability = float(of_n[n_apart:].sum())
    values = {"n": n_apart, "all": len(judged), "chance": sum(chances), "probability": probability}
    return Claim(probability < _SIGNIFICANT, values)


def ahead(pairs: Sequence[FormPair]) -> Claim:
    """Return the tasks and encodings whose published form is ahead with every seed."""
    return _named([pair for pair in pairs if pair.is_judged and pair.is_ahead])


def behind(pairs: Sequence[FormPair]) -> Claim:
    """Return the tasks and encodings whose published form is behind with every seed."""
    return _named([pair for pair in pairs if pair.is_judged and pair.is_behind])


def _named(pairs: Sequence[FormPair]) -> Claim:
    return Claim(bool(pairs), {"pairs": pair_names((pair.task, pair.name) for pair in pairs)})


CLAIMS: Mapping[str, Callable[[Sequence[FormPair]], Claim]] = {
    "claim apart": apart,
    "claim ahead": ahead,
    "claim behind": behind,
}
"""What is said of the pairs, in this order, by the heading of its words."""


def _of_results(claim: Callable[[Sequence[FormPair]], Claim], zoo_results: pd.DataFrame) -> Claim:
    return claim(form_pairs(zoo_results))


COMPUTED_CLAIMS: Claims = {
    ("pages/length_generalization/published_forms", heading): partial(_of_results, claim)
    for heading, claim in CLAIMS.items()
}
