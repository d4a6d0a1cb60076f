"""Faithfulness of the strongest parts over many sentences, one row for each ranking method."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

METHODS = ("frozen", "attribution patching", "EAP-IG", "random")
"""What ranks the parts; parts drawn at random are the last."""
FEW, MANY = 10, 30
"""Of how many parts off a row tells."""
WITHIN = 0.95
"""The share of bootstrap draws between the ends of an area."""


@dataclass(frozen=True)
class Without:
    """Results without the strongest parts: the ``median`` difference, and the share of ``flipped`` words."""

    median: float
    flipped: float


@dataclass(frozen=True)
class Area:
    """An area over sizes (Mueller et al. 2025, §3), with a bootstrap interval over sentences.

    ``low`` and ``high`` are the ends of :data:`WITHIN` of the draws.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class MethodRow:
    """Results of one method, with zero or the mean in place of ablated parts.

    Attributes:
        method: one of :data:`METHODS`.
        by: what takes the place.
        without: by the number of parts that are off.
        areas: CPR, the higher the better, and CMD, the lower the better.
    """

    method: str
    by: str
    without: Mapping[int, Without]
    areas: Mapping[str, Area]


def method_rows(checks: pd.DataFrame) -> list[MethodRow]:
    """Return the rows, from the rows of :func:`pretrained.circuits.circuit_checks`."""
    rows = []
    for by in ("zero", "mean"):
        for method in METHODS:
            of_method = checks[(checks["method"] == method) & (checks["by"] == by)]
            without = of_method[of_method["measure"] == "without"].set_index("n")
            areas = of_method[of_method["measure"] == "area"].set_index("area")
            rows.append(
                MethodRow(
                    method,
                    by,
                    {n: Without(*map(float, without.loc[n, ["value", "flipped"]])) for n in (FEW, MANY)},
                    {name: Area(*map(float, areas.loc[name, ["value", "low", "high"]])) for name in ("CPR", "CMD")},
                )
            )
    return rows
