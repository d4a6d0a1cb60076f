"""Table 3 of Vaswani et al. 2017, and what the same changes do to a model that is trained here.

Everything is a difference from the base: theirs in BLEU on newstest2013, ours in BLEU on captions, from the mean of our
base's seeds.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Literal

import numpy as np
import pandas as pd
from jaxtyping import Float

_FILE = Path(__file__).parents[1] / "data" / "table_3.csv"
_CONFIGURATION = "ablation"
BASE = "base"
SEEDS = (1, 2, 3)
"""The seeds of the plan."""
CLAIMS = ("h1", "h32", "dk4")
"""The rows of what the paper says in words: one head, too many heads, small keys."""

Verdict = Literal["same", "leans", "other", "mixed", "none in paper", "not in paper", "not measured"]


@dataclass(frozen=True)
class PaperRow:
    """A row of the table: its name in our plan, its letter, and the paper's BLEU, or None."""

    variant: str
    group: str
    bleu: float | None


@dataclass(frozen=True)
class RunScores:
    """Measurements of the last weights of a run."""

    sacrebleu: float
    tokenized_bleu: float
    perplexity: float
    n_parameters: int
    n_steps: int
    seconds_per_step: float


@dataclass(frozen=True)
class VariantRow:
    """A change of the base: its difference in BLEU in the paper, if it has it, and here by seed.

    ``base`` are the differences of the base's own seeds from their mean: what seeds alone make of any row.
    """

    variant: str
    group: str
    theirs: float | None
    ours: Mapping[int, float]
    base: tuple[float, ...] = (0.0,)

    @property
    def mean(self) -> float | None:
        """The mean of our seeds; None where none is measured."""
        return fmean(self.ours.values()) if self.ours else None

    @property
    def verdict(self) -> Verdict:
        """The position of our seeds relative to the base, in the paper's direction.

        "same" where all lie beyond all of the base's, "leans" where all lie beyond its mean alone, "other" where all
        lie beyond all of the base's the other way, and "mixed" where they cannot be told from the base.
        """
        if not self.ours:
            return "not measured"
        if self.theirs is None:
            return "not in paper"
        if self.theirs == 0:
            return "none in paper"
        sign = 1 if self.theirs > 0 else -1
        ours, base = [sign * value for value in self.ours.values()], [sign * value for value in self.base]
        if min(ours) > max(base):
            return "same"
        if max(ours) < min(base):
            return "other"
        return "leans" if min(ours) > 0 else "mixed"


Runs = Mapping[str, Mapping[int, RunScores]]
"""By variant, then by seed."""


@cache
def paper_rows() -> tuple[PaperRow, ...]:
    """Return the paper's rows in its order, the base first, and behind them those that only we have."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            PaperRow(row["variant"], row["group"], float(row["bleu"]) if row["bleu"] else None)
            for row in csv.DictReader(file)
        )


def finished_runs(results: pd.DataFrame) -> dict[str, dict[int, RunScores]]:
    """Return the finished runs in ``results``, which may be empty.

    Raises:
        KeyError: a column is missing.
    """
    runs: dict[str, dict[int, RunScores]] = {}
    if results.empty:
        return runs
    best = results[results.checkpoint == "best"]
    names = ("sacrebleu", "tokenized_bleu", "perplexity", "n_parameters", "step", "cpu_seconds_per_step")
    for variant, seed, *values in zip(*(best[name].tolist() for name in ("variant", "seed", *names)), strict=True):
        runs.setdefault(_short(variant), {})[seed] = RunScores(*values)
    return {variant: dict(sorted(by_seed.items())) for variant, by_seed in runs.items()}


def table(runs: Runs, measure: str) -> tuple[VariantRow, ...]:
    """Return every row but the base, with our differences in ``measure``; none without a measured base."""
    return tuple(_row(row, runs, measure) for row in paper_rows()[1:])


def base_row(runs: Runs, measure: str) -> VariantRow:
    """Return the base as a row: its seeds differ from their own mean, by what seeds alone make of any row."""
    return _row(paper_rows()[0], runs, measure)


def _row(row: PaperRow, runs: Runs, measure: str) -> VariantRow:
    theirs = None if row.bleu is None else round(row.bleu - _paper_base(), 1)
    if BASE not in runs:
        return VariantRow(row.variant, row.group, theirs, {})
    of_base = [getattr(run, measure) for run in runs[BASE].values()]
    middle = fmean(of_base)
    ours = {seed: getattr(run, measure) - middle for seed, run in runs.get(row.variant, {}).items()}
    return VariantRow(row.variant, row.group, theirs, ours, tuple(value - middle for value in of_base))


def _paper_base() -> float:
    bleu = paper_rows()[0].bleu
    assert bleu is not None
    return bleu


def in_order(rows: Sequence[VariantRow], by: Literal["paper", "ours", "theirs"]) -> tuple[VariantRow, ...]:
    """Return ``rows`` as the paper has them, or by a difference, the worst first and what has none last."""
    if by == "paper":
        return tuple(rows)
    values = {row.variant: row.mean if by == "ours" else row.theirs for row in rows}

    def key(row: VariantRow) -> tuple[bool, float]:
        value = values[row.variant]
        return value is None, value or 0.0

    return tuple(sorted(rows, key=key))


def n_finished(runs: Runs) -> int:
    """Return how many runs of the plan are finished."""
    return sum(len(runs.get(row.variant, {})) for row in paper_rows())


def curves(results: pd.DataFrame, variant: str, measure: str) -> tuple[list[int], Float[np.ndarray, "seed step"]]:
    """Return the validated steps of runs of ``variant``, and ``measure`` there [seed, step].

    NaN where a seed was not validated.
    """
    rows = results[(results.checkpoint == "during") & (results.variant.map(_short) == variant)]
    by_seed = rows.pivot_table(index="seed", columns="step", values=measure)
    return [int(step) for step in by_seed.columns], by_seed.to_numpy(dtype=np.float64)


def _short(variant: str) -> str:
    """Return the name of a variant without that of the configuration which it varies."""
    return BASE if variant == _CONFIGURATION else variant.removeprefix(f"{_CONFIGURATION}-")
