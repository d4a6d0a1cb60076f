"""How well the cross-attention of a translator aligns words, as the page shows it."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

STEPS, WEIGHINGS = ("output", "input"), ("weights", "norms")


@dataclass(frozen=True)
class AlignmentErrors:
    """Alignment error rates.

    Attributes:
        sentences: over how many sentences.
        layers: the layers, from 1.
        rows: of the mean of each layer and then of all, by step and weighing.
        best_head: layer and head of the best single one at the output step, by its weights.
        best_error: its rate.
    """

    sentences: int
    layers: tuple[int, ...]
    rows: Mapping[tuple[str, str], tuple[float, ...]]
    best_head: tuple[int, int]
    best_error: float


def alignment_of(errors: pd.DataFrame) -> AlignmentErrors | None:
    """Return what :func:`~pretrained.head_catalogue.alignment_errors` returned, None where that is empty.

    Raises:
        KeyError: a column or a row is missing.
    """
    if errors.empty:
        return None
    rows = errors[errors["head"] == 0]
    means = dict(zip(zip(rows["step"], rows["weighing"], rows["layer"], strict=True), rows["error"], strict=True))
    layers = tuple(sorted({int(layer) for layer in errors["layer"]} - {0}))
    is_single = (errors["head"] > 0) & (errors["step"] == "output") & (errors["weighing"] == "weights")
    best = min(errors[is_single].to_dict("records"), key=lambda row: row["error"])
    return AlignmentErrors(
        int(errors["sentences"].iloc[0]),
        layers,
        {
            (step, weighing): tuple(float(means[step, weighing, layer]) for layer in (*layers, 0))
            for step in STEPS
            for weighing in WEIGHINGS
        },
        (int(best["layer"]), int(best["head"])),
        float(best["error"]),
    )
