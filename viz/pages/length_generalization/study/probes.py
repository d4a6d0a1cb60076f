"""What the probes of position say of a task: scores by encoding, layer and seed, and where the position comes in."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

CLEAR = 0.5
"""R² from which a layer is said to tell the position."""


@dataclass(frozen=True)
class Rise:
    """Where R² rises most from one layer to the next, of the means over seeds; layer 0 is what the first one reads."""

    layer: int
    before: float
    after: float
    best: float
    best_layer: int


Scores = Mapping[tuple[str, str, str], pd.DataFrame]
"""Rows of one task by encoding, subject (trained, untrained or shuffled) and region (trained or beyond)."""


def scores_of(rows: pd.DataFrame, task: str) -> Scores:
    """Return the ``rows`` of ``task``, those of a seed side by side in the order of layers."""
    own = rows[rows.task == task].sort_values(["probe_seed", "layer"])
    groups = own.groupby(["encoding", "subject", "region"], observed=True)
    return {(str(key[0]), str(key[1]), str(key[2])): group for key, group in groups}


def by_layer(
    scores: Scores, encoding: str, *, subject: str, region: str, measure: str
) -> Float[np.ndarray, "seed layer"] | None:
    """Return the scores of ``subject`` at ``region``, if any."""
    own = scores.get((encoding, subject, region))
    if own is None:
        return None
    return own[measure].to_numpy(dtype=np.float64).reshape(own.probe_seed.nunique(), -1)


def largest_rise(r2: Float[np.ndarray, "seed layer"]) -> Rise:
    """Return where ``r2`` rises most; layer 0 counts as rising from 0, the score of what knows nothing."""
    mean = r2.mean(axis=0)
    steps = np.diff(mean, prepend=0.0)
    layer, best = int(steps.argmax()), int(mean.argmax())
    return Rise(layer, float(mean[layer - 1]) if layer else 0.0, float(mean[layer]), float(mean[best]), best)
