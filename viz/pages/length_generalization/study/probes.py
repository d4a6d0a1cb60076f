"""What the probes of position say of a task: scores by encoding, layer and seed, and where the position comes in."""

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


def probed(rows: pd.DataFrame, task: str) -> set[str]:
    """Return the encodings whose model of ``task`` was probed."""
    return set() if rows.empty else set(rows[rows.task == task].encoding)


def by_layer(
    rows: pd.DataFrame, task: str, encoding: str, *, subject: str, region: str, measure: str
) -> Float[np.ndarray, "seed layer"] | None:
    """Return the scores of ``subject`` (trained, untrained or shuffled) at ``region`` (trained or beyond), if any."""
    own = rows[(rows.task == task) & (rows.encoding == encoding) & (rows.subject == subject) & (rows.region == region)]
    if own.empty:
        return None
    return own.pivot(index="probe_seed", columns="layer", values=measure).to_numpy(dtype=np.float64)


def largest_rise(r2: Float[np.ndarray, "seed layer"]) -> Rise:
    """Return where ``r2`` rises most; layer 0 counts as rising from 0, the score of what knows nothing."""
    mean = r2.mean(axis=0)
    steps = np.diff(mean, prepend=0.0)
    layer, best = int(steps.argmax()), int(mean.argmax())
    return Rise(layer, float(mean[layer - 1]) if layer else 0.0, float(mean[layer]), float(mean[best]), best)
