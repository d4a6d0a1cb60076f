"""Results of translators by source length, for one measure and one kind of test at a time."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

KINDS = ("whole", "joined")
MEASURES = ("bleu", "chrf", "loss", "length_ratio", "repeats")
LOWER_IS_BETTER = ("loss", "repeats")


@dataclass(frozen=True)
class ByLength:
    """A measure of one variant, by seed and set of test pairs; ``words`` are the mean source lengths."""

    words: tuple[float, ...]
    values: Float[np.ndarray, "seed set"]


def by_length(results: pd.DataFrame, kind: str, measure: str) -> dict[str, ByLength]:
    """Return ``measure`` of each variant that is in ``results``, in alphabetical order."""
    by_variant = {}
    for variant, own in _rows_of(results, kind).groupby("variant"):
        grid = own.pivot(index="seed", columns="words", values=measure).sort_index(axis="columns")
        by_variant[str(variant)] = ByLength(tuple(map(float, grid.columns)), grid.to_numpy(dtype=np.float64))
    return by_variant


def sets_of(results: pd.DataFrame, kind: str) -> dict[tuple[int, int], float]:
    """Return the sets of test pairs of ``kind``, by shortest and longest source, with mean lengths."""
    rows = _rows_of(results, kind).drop_duplicates(["shortest", "longest"]).sort_values("shortest")
    ends = zip(map(int, rows.shortest), map(int, rows.longest), strict=True)
    return dict(zip(ends, map(float, rows.words), strict=True))


def means_of(results: pd.DataFrame, kind: str, measure: str) -> dict[int, dict[str, float]]:
    """Return the mean over seeds of each variant on each set of test pairs, by its shortest source."""
    means = _rows_of(results, kind).groupby(["shortest", "variant"], as_index=False)[measure].mean()
    by_set: dict[int, dict[str, float]] = {}
    for shortest, variant, value in means.itertuples(index=False):
        by_set.setdefault(int(shortest), {})[str(variant)] = float(value)
    return by_set


def _rows_of(results: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return the rows of ``kind``, and those of captions of the lengths trained on, with which both begin."""
    rows: pd.DataFrame = results[(results.kind == kind) | (results.longest <= results.trained_to)]
    return rows
