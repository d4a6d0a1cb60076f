"""Rows of table 3 that were trained longer: which differences from the base are left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Literal, get_args

import pandas as pd

from viz.base.claims import Claim, Claims, Names
from viz.pages.ablations.study.claims import MEASURE
from viz.pages.ablations.study.table_3 import Runs, finished_runs, table

_LEFT = 0.5
"""Share of a difference: where at most this is left, most of it was one of speed."""

Kept = Literal["shrinks", "stays", "turns", "appears", "unsure"]


@dataclass(frozen=True)
class LongerRow:
    """A change of the base: its differences from it after the shorter and the longer training, by seed.

    ``short_base`` and ``longer_base`` are the differences of the base's seeds from their mean.
    """

    variant: str
    short: Mapping[int, float]
    longer: Mapping[int, float]
    short_base: tuple[float, ...]
    longer_base: tuple[float, ...]

    @property
    def kept(self) -> Kept:
        """The fate of the difference in the longer training.

        A difference can be told if all seeds lie beyond all of the base's, of both trainings, on one side. "stays"
        where it still can, on the same side, and more than half of it is left; "turns" where it can on the other side;
        "shrinks" where at most half is left and each seed differs less than all did before. "appears" where several
        seeds, also of the base, can be told after the longer training alone. "unsure" is anything else.
        """
        before, after = self._side(self.short), self._side(self.longer)
        if not before:
            return "appears" if after and min(len(self.longer), len(self.longer_base)) > 1 else "unsure"
        if after == -before:
            return "turns"
        if fmean(self.longer.values()) / fmean(self.short.values()) > _LEFT:
            return "stays" if after else "unsure"
        most, least = max(map(abs, self.longer.values())), min(map(abs, self.short.values()))
        return "shrinks" if most < least else "unsure"

    def _side(self, ours: Mapping[int, float]) -> int:
        """Return 1 where the seeds are better than all of the base's, -1 where they are worse, else 0."""
        base = (*self.short_base, *self.longer_base)
        return int(min(ours.values()) > max(base)) - int(max(ours.values()) < min(base))


def longer_rows(short: Runs, longer: Runs) -> tuple[LongerRow, ...]:
    """Return the rows that both trainings have, in the paper's order; none without the base of both."""
    return tuple(
        LongerRow(one.variant, one.ours, other.ours, one.base, other.base)
        for one, other in zip(table(short, MEASURE), table(longer, MEASURE), strict=True)
        if one.ours and other.ours
    )


def kept(rows: Sequence[LongerRow], how: Kept) -> Claim:
    """Return which rows' differences are kept like this; it does not hold where there is none."""
    names = tuple(row.variant for row in rows if row.kept == how)
    return Claim(bool(names), {"rows": Names("row", names)})


def _kept(how: Kept, ablation_results: pd.DataFrame, longer_ablation_results: pd.DataFrame) -> Claim:
    return kept(longer_rows(finished_runs(ablation_results), finished_runs(longer_ablation_results)), how)


_WORDS = "pages/ablations/ablations"
COMPUTED_CLAIMS: Claims = {(_WORDS, f"claim {how}"): partial(_kept, how) for how in get_args(Kept)}
