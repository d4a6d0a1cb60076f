"""Figures from the papers, as ``data/published.json`` lists them, and our own results of the zoo."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Float

DATA = Path(__file__).parents[1] / "data" / "published.json"


@dataclass(frozen=True)
class Published:
    """A column of a paper's table: ``values`` by row, beside ``base``, the value that the others are compared with."""

    source: str
    values: dict[str, float]
    base: float

    @property
    def better(self) -> tuple[str, ...]:
        """The rows above the base."""
        return tuple(row for row, value in self.values.items() if value > self.base)


@cache
def published(name: str) -> Published:
    """Return the column ``name``; KeyError where the file has none."""
    return Published(**json.loads(DATA.read_text(encoding="utf-8"))[name])


def mean_reciprocal_rank(ranks: Sequence[int]) -> float:
    """Return the mean of 1/rank."""
    return float(np.mean([1 / rank for rank in ranks]))


def exact_match_by_seed(
    results: pd.DataFrame, task: str, encoding: str
) -> tuple[tuple[int, ...], Float[np.ndarray, "seed length"]]:
    """Return the lengths, and the exact match of the best checkpoint of every seed; nothing where none was trained."""
    rows = results[(results.checkpoint == "best") & (results.task == task) & (results.encoding == encoding)]
    grid = rows.pivot(index="seed", columns="length", values="exact_match")
    return tuple(map(int, grid.columns)), grid.to_numpy(dtype=np.float64)
