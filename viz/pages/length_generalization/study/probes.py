"""Probes of position on one task: scores by encoding, layer and seed, and the best layers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from jaxtyping import Float

from viz.base.claims import Claim, Claims, Names
from viz.base.numbers import signed

CLEAR = 0.5
"""R² from which a probe is said to read the position."""
BEFORE_TRAINING = 0.9
"""From this share of a score on, that of an untrained model is nearly all of it."""


@dataclass(frozen=True)
class Rise:
    """The largest rise of mean R² from one layer to the next; layer 0 is the input of the first layer."""

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


def what_probes_read(scores: Scores, encoding: str) -> dict[str, Claim]:
    """Return claims about ``encoding``: where R² rises, its fall past trained lengths, training's effect.

    Of the first three claims one holds. A claim that was not measured in full is left out.
    """
    trained = by_layer(scores, encoding, subject="trained", region="trained", measure="r2")
    if trained is None:
        return {}
    rise = largest_rise(trained)
    fields: dict[str, object] = {
        "encoding": Names("encoding", (encoding,)),
        "clear": CLEAR,
        "layer": rise.layer,
        "best_layer": rise.best_layer,
        **{name: signed(getattr(rise, name)) for name in ("before", "after", "best")},
    }
    is_read = rise.best >= CLEAR
    claims = {
        "from input": Claim(is_read and rise.layer == 0, fields),
        "from layer": Claim(is_read and rise.layer > 0, fields),
        "never": Claim(not is_read, fields),
    }

    def at_best(subject: str, region: str, measure: str) -> float | None:
        values = by_layer(scores, encoding, subject=subject, region=region, measure=measure)
        return None if values is None else float(values.mean(axis=0)[rise.best_layer])

    error = at_best("trained", "trained", "mean_absolute_error")
    beyond, error_beyond = (at_best("trained", "beyond", measure) for measure in ("r2", "mean_absolute_error"))
    if error is not None and beyond is not None and error_beyond is not None:
        values = {"error": error, "beyond": signed(beyond), "error_beyond": error_beyond}
        claims["beyond"] = Claim(is_read and beyond < CLEAR, values)
    untrained, shuffled = (at_best(subject, "trained", "r2") for subject in ("untrained", "shuffled"))
    if untrained is not None and shuffled is not None:
        is_learned = untrained < BEFORE_TRAINING * rise.best
        claims["baselines"] = Claim(is_learned, {"untrained": signed(untrained), "shuffled": signed(shuffled)})
    return claims


def _of_none(name: str, zoo_probes: pd.DataFrame) -> Claim:
    """Return the claim of a model without an encoding for the first task on which it holds, if any."""
    of_tasks = [what_probes_read(scores_of(zoo_probes, task), "none") for task in zoo_probes.task.unique()]
    measured = [claims[name] for claims in of_tasks if name in claims]
    return next((claim for claim in measured if claim.holds), measured[0])


COMPUTED_CLAIMS: Claims = {
    ("pages/length_generalization/probes", f"claim {name}"): partial(_of_none, name)
    for name in ("from input", "from layer", "never", "beyond", "baselines")
}
