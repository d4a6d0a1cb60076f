"""Alignment quality of each cross-attention head, beside the maps of a translation."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pandas as pd
from jaxtyping import Float64

from model.analysis.maps.aligning_maps import Weighing
from viz.pages.translate.study.measures import Kinds

WEIGHINGS: Mapping[str, Weighing] = MappingProxyType({"weights": "weights", "passed on": "norms"})
"""How links are weighed, by the measure of the maps; the maps of other measures are not those of a head."""


def with_alignment(kinds: Kinds, rates: Float64[np.ndarray, "layer head"] | None) -> Kinds:
    """Return ``kinds`` of a translation with the rate of :func:`head_rates` for each cross-attention head.

    Unchanged without ``rates``, or with those of another model.
    """
    if rates is None:
        return kinds
    return tuple(
        replace(kind, alignment=rates) if kind.name == "cross" and rates.shape == kind.weights.shape[:2] else kind
        for kind in kinds
    )


def head_rates(errors: pd.DataFrame, measure: str) -> Float64[np.ndarray, "layer head"] | None:
    """Return the rate at which the links of each head of cross-attention disagree with people.

    It is read as the maps are: a row is the step that writes a word. None without a rate of every head, and for a
    ``measure`` of maps that are not those of a head.

    Args:
        errors: as :func:`~pretrained.head_catalogue.alignment_errors` returns them; empty where none were measured.
        measure: of the maps.

    Raises:
        KeyError: a column is missing.
    """
    weighing = WEIGHINGS.get(measure)
    if errors.empty or weighing is None:
        return None
    is_read = (errors["part"] == "all") & (errors["step"] == "output") & (errors["weighing"] == weighing)
    rates = errors[is_read & (errors["head"] > 0)].pivot(index="layer", columns="head", values="error").to_numpy(float)
    return rates if rates.size and np.isfinite(rates).all() else None
