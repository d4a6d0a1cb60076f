"""Claims of the page on longer inputs and other training runs, computed from measurements."""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
import pandas as pd

from pretrained.ablations import seed_circuits
from pretrained.zoo import CIRCUIT_MODELS, zoo_circuits
from viz.base.claims import Claim, Claims, Names
from viz.pages.interventions.study.lasting.longer import Longer, Model, longer_inputs, models_of
from viz.pages.interventions.study.lasting.seeds import HeadMatches, blocks, matched, seeds_of

EDGE, PART, NUMBER = "edge", "part", "number"
"""Kinds of names: codes of the two ends of an edge, codes of a part, and numbers."""
BETWEEN = " "
"""What stands between the codes of the two ends of an edge."""
_WORKS = 0.1
_REPAIRED, _BROKEN = 0.95, 0.9


def alone(measured: Longer) -> Claim:
    """Return whether a circuit from trained lengths still matches the whole model where that fails."""
    whole, only = measured.accuracies["none"], measured.accuracies["others"]
    cliff = measured.cliff
    values = {
        "kept": len(measured.kept),
        "parts": measured.n_parts,
        "trained": measured.lengths[0],
        "length": measured.lengths[cliff],
        "whole_trained": float(whole[0]),
        "only_trained": float(only[0]),
        "whole": float(whole[cliff]),
        "only": float(only[cliff]),
    }
    return Claim(abs(only[cliff] - whole[cliff]) <= _WORKS, values)


def first_edge(measured: Longer) -> Claim:
    """Return which strong edge is the first to add less than half, and how many do so at twice the length.

    Of those that do so at the same length, it is the one that adds the least there.
    """
    falls, shares = measured.falls, dict(zip(measured.edges.codes, measured.edges.shares, strict=True))
    fallen = {code: place for code, place in falls.items() if place is not None}
    first = min(fallen, key=lambda code: (fallen[code], shares[code][fallen[code]]), default=None)
    twice = _at_twice(measured)
    values = {
        "edge": Names(EDGE, () if first is None else (BETWEEN.join(first),)),
        "length": measured.lengths[-1 if first is None else fallen[first]],
        "right": float(measured.accuracies["none"][-1 if first is None else fallen[first]]),
        "edges": len(falls),
        "fallen": sum(place <= twice for place in fallen.values()),
        "twice": measured.lengths[twice],
    }
    return Claim(first is not None, values)


def reading(measured: Longer) -> Claim:
    """Return accuracy at twice the length with the reading heads made to look at the right token."""
    place = _at_twice(measured)
    weights = np.mean([*measured.reading.values()], axis=0)
    right = {change: float(measured.accuracies[change][place]) for change in ("none", "reading", "drawn")}
    values = {
        "heads": Names(PART, tuple(measured.reading)),
        "trained": measured.lengths[0],
        "length": measured.lengths[place],
        "weight_trained": float(weights[0]),
        "weight": float(weights[place]),
        **right,
    }
    return Claim(right["reading"] > max(_REPAIRED, right["none"]), values)


def all_reading(circuits: pd.DataFrame) -> Claim:
    """Return the same of all models with such heads: what is right at twice the length, at the least."""
    every = [longer_inputs(circuits, model) for model in models_of(circuits)]
    measured = [one for one in every if one.reading]
    rows = pd.DataFrame(
        {change: one.accuracies[change][_at_twice(one)] for change in ("none", "reading", "drawn")} for one in measured
    )
    values = {
        "models": len(measured),
        "broken": int((rows["none"] < _BROKEN).sum()),
        "worst": float(rows["none"].min()),
        "repaired": float(rows["reading"].min()),
        "drawn": float(rows["drawn"].mean()),
        "mean": float(rows["none"].mean()),
    }
    return Claim(values["repaired"] > _REPAIRED and values["broken"] > 0, values)


def _at_twice(measured: Longer) -> int:
    return measured.lengths.index(2 * measured.lengths[0])


def returning(circuits: pd.DataFrame) -> Claim:
    """Return how many strong heads have a strong match in the other runs; False without other runs."""
    pairs = _of_first(circuits)
    values = {
        "words": int(circuits["words"].iloc[0]) if pairs else 0,
        "first": seeds_of(circuits)[0] if pairs else 0,
        "others": Names(NUMBER, tuple(str(b) for _, b in pairs)),
        "returning": Names(NUMBER, tuple(str(pair.returning) for pair in pairs.values())),
        "at_random": _mean(pair.returning_at_random for pair in pairs.values()),
        "overlap": _mean(pair.overlaps.mean() for pair in pairs.values()),
        "overlap_of_all": _mean(pair.overlaps_of_all.mean() for pair in pairs.values()),
    }
    return Claim(bool(pairs) and all(pair.returning > pair.returning_at_random for pair in pairs.values()), values)


def correlated(circuits: pd.DataFrame) -> Claim:
    """Return the correlation of matched heads' effects, beside that of random matches in their blocks."""
    pairs = [*matched(circuits).values()] if len(circuits) else []
    values = {
        "heads": len(pairs[0].heads) if pairs else 0,
        "r": _mean(pair.correlation for pair in pairs),
        "at_random": _mean(pair.correlations_at_random.mean() for pair in pairs),
        "high": _mean(np.quantile(pair.correlations_at_random, 0.975) for pair in pairs),
    }
    return Claim(bool(pairs) and values["r"] > values["high"], values)


def same_blocks(circuits: pd.DataFrame) -> Claim:
    """Return by how much the share of a block differs between trainings, and which block has the largest."""
    if circuits.empty:
        return Claim(False, {"most": 0.0, "largest": Names(PART, ()), "share": 0.0})
    shares = blocks(circuits)
    mean = shares.mean(axis=1)
    most, share = float((shares.max(axis=1) - shares.min(axis=1)).max()), float(mean.max())
    return Claim(most < share, {"most": most, "largest": Names(PART, (str(mean.idxmax()),)), "share": share})


def _of_first(circuits: pd.DataFrame) -> dict[tuple[int, int], HeadMatches]:
    if circuits.empty:
        return {}
    first = seeds_of(circuits)[0]
    return {seeds: pair for seeds, pair in matched(circuits).items() if seeds[0] == first}


def _mean(values: Iterable[float]) -> float:
    numbers = [*values]
    return float(np.mean(numbers)) if numbers else 0.0


_WORDS = "pages/interventions/lasting_circuits"
OF_MODEL = {"claim alone": alone, "claim first edge": first_edge, "claim reading": reading}
"""What the page says of one model, by the headings of its words; the last one of models with reading heads."""
OF_SEEDS = {"claim returning": returning, "claim correlated": correlated, "claim same blocks": same_blocks}
"""What it says of trainings from several seeds."""


def _of_shipped(claim: Callable[[Longer], Claim], model: Model) -> Claim:
    return claim(longer_inputs(zoo_circuits(), model))


def _of_all_shipped() -> Claim:
    return all_reading(zoo_circuits())


def _of_shipped_seeds(claim: Callable[[pd.DataFrame], Claim]) -> Claim:
    return claim(seed_circuits())


COMPUTED_CLAIMS: Claims = {
    **{
        (_WORDS, heading): tuple(
            partial(_of_shipped, claim, model)
            for model in CIRCUIT_MODELS
            if claim is not reading or model[0] != "parity"
        )
        for heading, claim in OF_MODEL.items()
    },
    (_WORDS, "claim all reading"): _of_all_shipped,
    **{(_WORDS, heading): partial(_of_shipped_seeds, claim) for heading, claim in OF_SEEDS.items()},
}
