"""Figures from the papers, as ``data/published.json`` lists them, and our own results of the zoo."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Float

from viz.base.claims import Claim, Claims

_FEW_SEEDS = 5
DATA = Path(__file__).parents[1] / "data" / "published.json"


@dataclass(frozen=True)
class PublishedNumbers:
    """A column of a paper's table.

    Attributes:
        source: the paper and the table.
        values: by row.
        base: the value that the others are compared with.
        n_seeds: of how many trainings each value is the mean; 0 where the file does not have it.
        n_parameters: of each model, all alike; 0 where the file does not have it.
        hardest: the share of the positions that were measured, the hardest ones.
    """

    source: str
    values: dict[str, float]
    base: float
    n_seeds: int = 0
    n_parameters: int = 0
    hardest: float = 1.0

    @property
    def better(self) -> tuple[str, ...]:
        """The rows above the base."""
        return tuple(row for row, value in self.values.items() if value > self.base)


@cache
def published(name: str) -> PublishedNumbers:
    """Return the column ``name``; KeyError where the file has none."""
    return PublishedNumbers(**json.loads(DATA.read_text(encoding="utf-8"))[name])


def mean_reciprocal_rank(ranks: Sequence[int]) -> float:
    """Return the mean of 1/rank."""
    return float(np.mean([1 / rank for rank in ranks]))


def effective_context() -> Claim:
    """Compare how far back the models of one group gain from their context (Dai et al. 2019, table 8)."""
    paper = published("effective context")
    own, none, plain = (paper.values[row] for row in ("Transformer-XL", "no recurrence", "vanilla"))
    values = {"own": own, "no_recurrence": none, "plain": plain}
    return Claim(own > none > plain, values | {"n_parameters": paper.n_parameters, "hardest": paper.hardest})


def true_copy() -> Claim:
    """Compare the copies of random letters and of one repeated letter (Kazemnejad et al. 2023)."""
    letters, repeated = published("true copy"), published("repeated copy")
    t5, nope, nope_repeated = letters.values["T5 bias"], letters.values["NoPE"], repeated.values["NoPE"]
    holds = t5 == max(letters.values.values()) and nope < nope_repeated and letters.n_seeds <= _FEW_SEEDS
    return Claim(holds, {"t5": t5, "nope": nope, "repeated": nope_repeated, "n_seeds": letters.n_seeds})


def exact_match_by_seed(
    results: pd.DataFrame, task: str, encoding: str
) -> tuple[tuple[int, ...], Float[np.ndarray, "seed length"]]:
    """Return the lengths, and exact match of each seed's best checkpoint; empty without trained models."""
    rows = results[(results.checkpoint == "best") & (results.task == task) & (results.encoding == encoding)]
    grid = rows.pivot(index="seed", columns="length", values="exact_match")
    return tuple(map(int, grid.columns)), grid.to_numpy(dtype=np.float64)


COMPUTED_CLAIMS: Claims = {
    ("pages/start/translation_quality", "claim effective context"): effective_context,
    ("pages/start/translation_quality", "claim true copy"): true_copy,
}
