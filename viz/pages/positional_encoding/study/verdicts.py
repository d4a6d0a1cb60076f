"""The verdicts on four claims about the sinusoidal encoding, with the numbers that their words have."""

from functools import partial

import numpy as np

from viz.base.claims import Claim, Claims
from viz.base.numbers import scientific
from viz.pages.positional_encoding.study.claims import BASE, BEYOND, D_MODEL, LENGTH, POSITION, Studies, study_all

VERDICTS = {
    "neighbours": ("false", "true", "mixed"),
    "base": ("false", "true", "mixed", "same"),
    "repeat": ("true", "closer", "false"),
    "beyond": ("false", "partly", "true"),
}
"""What may come out of each claim. Of its verdicts exactly one holds."""


def verdict_claims(studies: Studies, position: int) -> dict[str, Claim]:
    """Return each verdict as "neighbours false", and under "neighbours alike" a true statement instead."""
    values = {
        "neighbours": _of_neighbours(studies, position),
        "base": _of_bases(studies),
        "repeat": _of_repeats(studies),
        "beyond": _of_beyond(studies),
    }
    own = {
        "neighbours": studies.neighbours.verdict,
        "base": studies.bases.verdict,
        "repeat": studies.repeats.verdict,
        "beyond": studies.beyond.verdict,
    }
    claims = {
        f"{name} {verdict}": Claim(verdict == own[name], values[name])
        for name, verdicts in VERDICTS.items()
        for verdict in verdicts
    }
    steps, norm = studies.neighbours.steps[1], studies.repeats.norm
    alike = Claim(
        studies.neighbours.verdict == "false" and bool(steps.max() < norm),
        {"share": float(steps.mean()) / norm, "norm": norm},
    )
    return claims | {"neighbours alike": alike}


def _of_neighbours(studies: Studies, position: int) -> dict[str, object]:
    study, steps = studies.neighbours, studies.neighbours.steps[1]
    values = {"here": steps[position], "first": steps[0], "last": steps[-1], "expected": study.expected}
    return {"position": position, "spread": scientific(study.spread)} | {k: float(v) for k, v in values.items()}


def _of_bases(studies: Studies) -> dict[str, object]:
    study = studies.bases
    changes = "; ".join(f"k = {k}: {study.before[k]:.3f} → {study.after[k]:.3f}" for k in study.before)
    return {"base": study.base, "larger": study.larger_base, "changes": changes, "d_model": studies.d_model}


def _of_repeats(studies: Studies) -> dict[str, object]:
    study = studies.repeats
    return {
        "length": studies.beyond.length,
        "d_model": studies.d_model,
        "closest": study.closest,
        "turns": study.closest / (2 * np.pi),
        "smallest": study.smallest,
        "share": study.smallest / study.norm,
        "step": float(study.distances[0]),
    }


def _of_beyond(studies: Studies) -> dict[str, object]:
    study = studies.beyond
    return {
        "length": study.length,
        "last": BEYOND * study.length - 1,
        "share": study.share_of_dimensions_outside,
        "d_model": studies.d_model,
        "slow": study.n_slow_pairs,
        "pairs": study.n_pairs,
        "nearest": float(study.nearest_trained.max()),
        "step": study.step,
    }


def _at_first(name: str) -> Claim:
    return verdict_claims(study_all(D_MODEL, BASE, LENGTH), POSITION)[name]


COMPUTED_CLAIMS: Claims = {
    ("pages/positional_encoding/claims", f"claim {name}"): partial(_at_first, name)
    for name in ("neighbours alike", *(f"{claim} {verdict}" for claim in VERDICTS for verdict in VERDICTS[claim]))
}
