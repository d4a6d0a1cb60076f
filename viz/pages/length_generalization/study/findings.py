"""Known findings on length generalization, compared with the zoo's results, seed by seed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

import pandas as pd

from model.zoo.evaluate import LEARNED
from model.zoo.scores import mean_over, trained_scores
from viz.base.claims import Claim, Claims
from viz.pages.length_generalization.study.published import published
from viz.pages.length_generalization.study.ranking import lengths_tested

RIGHT = 0.9
"""From this exact match on, a length counts as answered."""
HALF = 0.5
"""Below this exact match, a length counts as fallen."""
ZERO = 0.05
"""Up to this exact match, a length counts as not answered at all: some lengths are measured on 26 inputs."""

Verdict = Literal["holds", "holds in part", "does not hold", "not measured"]
ByLength = Mapping[int, float]
Measured = Mapping[tuple[str, str], Mapping[int, ByLength]]
"""Exact match of the best checkpoints that learned, by task and encoding, then seed, then length."""


@dataclass(frozen=True)
class SeedResult:
    """Result of one seed: ``value``, and whether the claim holds for it.

    ``encoding`` is the one that the value belongs to; ``rival`` and ``rival_value`` the one it is held against, if any;
    ``n_encodings`` is how many were looked at.
    """

    value: float
    holds: bool
    encoding: str
    rival: str | None = None
    rival_value: float | None = None
    n_encodings: int = 1


@dataclass(frozen=True)
class CheckedClaim:
    """A claim held against the results.

    Attributes:
        name: of the claim.
        task: what it is about.
        figures: the numbers that the claim is worded with.
        seeds: what each seed measured shows, by seed.
        published: the paper's scores on the task of the encodings that the claim is about; empty where it has none.
    """

    name: str
    task: str
    figures: Mapping[str, float]
    seeds: Mapping[int, SeedResult]
    published: Mapping[str, float]

    @property
    def verdict(self) -> Verdict:
        """Whether the claim is true of all seeds measured, of some, or of none."""
        if not self.seeds:
            return "not measured"
        true_of = sum(seen.holds for seen in self.seeds.values())
        if true_of == len(self.seeds):
            return "holds"
        return "holds in part" if true_of else "does not hold"


@dataclass(frozen=True)
class _Claim:
    """A claim on one encoding: ``read`` takes its value from a seed's results, ``holds`` judges it."""

    name: str
    encoding: str
    figures: Mapping[str, float]
    read: Callable[[ByLength], float | None]
    holds: Callable[[float], bool]


_FIRST = lengths_tested("copy_repeat")[0]
_REPEAT = (
    _Claim(
        "repeat none",
        "none",
        {"length": 40, "least": RIGHT},
        lambda by_length: by_length.get(40),
        lambda value: value >= RIGHT,
    ),
    *(
        _Claim(
            f"repeat {encoding}",
            encoding,
            {"first": _FIRST, "most": ZERO},
            lambda by_length: max((by_length[length] for length in by_length if length >= _FIRST), default=None),
            lambda value: value <= ZERO,
        )
        for encoding in ("sinusoidal", "learned")
    ),
    _Claim(
        "repeat alibi",
        "alibi",
        {"length": 32, "below": HALF},
        lambda by_length: by_length.get(32),
        lambda value: value < HALF,
    ),
)


def findings(results: pd.DataFrame) -> list[CheckedClaim]:
    """Return every claim with what ``results``, which may be empty or in part, say of it."""
    measured = _by_run(results, ("copy_repeat", "reverse", "copy_letters"))
    return [*(_judged(claim, measured) for claim in _REPEAT), _reverse(measured, 30), _copy(measured)]


def _by_run(results: pd.DataFrame, tasks: tuple[str, ...]) -> Measured:
    if results.empty:
        return {}
    rows = results[(results.checkpoint == "best") & results.task.isin(tasks)]
    scores = trained_scores(results)
    columns = (rows.task, rows.encoding, rows.seed, rows.length, rows.exact_match)
    by_run: dict[tuple[str, str], dict[int, dict[int, float]]] = {}
    for task, encoding, seed, length, value in zip(*(column.tolist() for column in columns), strict=True):
        if scores[task, encoding, seed] >= LEARNED:
            by_run.setdefault((task, encoding), {}).setdefault(seed, {})[length] = value
    return by_run


def _judged(claim: _Claim, measured: Measured) -> CheckedClaim:
    seeds = {}
    for seed, by_length in sorted(measured.get(("copy_repeat", claim.encoding), {}).items()):
        value = claim.read(by_length)
        if value is not None:
            seeds[seed] = SeedResult(value, claim.holds(value), claim.encoding)
    return CheckedClaim(claim.name, "copy_repeat", claim.figures, seeds, _published("copy_repeat", claim.encoding))


def _reverse(measured: Measured, length: int) -> CheckedClaim:
    """Return whether all of the paper's encodings fail on "reverse", with the best one at ``length``."""
    seeds = {}
    for seed, row in _across(measured, "reverse", lambda by_length: by_length.get(length)).items():
        theirs = _of_paper(row)
        if theirs:
            best = max(theirs, key=lambda name: theirs[name])
            seeds[seed] = SeedResult(theirs[best], theirs[best] < HALF, best, n_encodings=len(theirs))
    return CheckedClaim("reverse all", "reverse", {"length": length, "below": HALF}, seeds, _published("reverse"))


def _copy(measured: Measured) -> CheckedClaim:
    """Return whether another of the paper's encodings does better than none on the copy of random letters."""
    lengths, seeds = lengths_tested("copy_letters"), {}
    for seed, row in _across(measured, "copy_letters", lambda by_length: mean_over(lengths, by_length)).items():
        others = {name: value for name, value in _of_paper(row).items() if name != "none"}
        if "none" in row and others:
            rival = max(others, key=lambda name: others[name])
            is_behind = row["none"] < others[rival]
            seeds[seed] = SeedResult(row["none"], is_behind, "none", rival, others[rival], n_encodings=len(others) + 1)
    figures = {"first": lengths[0], "last": lengths[-1]}
    return CheckedClaim("copy none", "copy_letters", figures, seeds, _published("copy_letters"))


def _across(measured: Measured, task: str, read: Callable[[ByLength], float | None]) -> dict[int, dict[str, float]]:
    """Return what ``read`` takes from each run on ``task``, by seed, then by encoding."""
    taken: dict[int, dict[str, float]] = {}
    for (on, encoding), by_seed in measured.items():
        for seed, by_length in by_seed.items() if on == task else ():
            value = read(by_length)
            if value is not None:
                taken.setdefault(seed, {})[encoding] = value
    return dict(sorted(taken.items()))


def _of_paper(row: Mapping[str, float]) -> dict[str, float]:
    return {name: row[name] for name in published().encodings if name in row}


def _published(task: str, *encodings: str) -> dict[str, float]:
    """Return the paper's scores on ``task`` of these encodings, of all if none is named."""
    scores = published().tasks[task].exact_match
    return {name: scores[name] for name in encodings or scores if name in scores}


def _claimed(name: str, zoo_results: pd.DataFrame) -> Claim:
    """Return whether the claim ``name`` is true of all seeds; the page shows this verdict in either case."""
    finding = next(finding for finding in findings(zoo_results) if finding.name == name)
    return Claim(finding.verdict == "holds", finding.figures)


COMPUTED_CLAIMS: Claims = {
    ("pages/length_generalization/findings", f"claim {name}"): partial(_claimed, name)
    for name in (*(claim.name for claim in _REPEAT), "reverse all", "copy none")
}
