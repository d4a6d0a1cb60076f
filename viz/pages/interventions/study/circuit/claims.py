"""Claims of the page on circuits over many sentences, computed from measurements."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from pretrained.circuits import circuit_checks
from viz.base.claims import Claim, Claims
from viz.base.numbers import signed

_SHIPPED = "translation-en-de"
_N, _SHARE = 10, 0.005
_NAMES = {"held": "frozen", "gradient": "attribution patching", "integrated": "EAP-IG"}


def faithful(checks: pd.DataFrame) -> Claim:
    """Return what becomes of words without the ten strongest parts, where random ones change far fewer.

    ``checks`` are those of :func:`pretrained.circuits.circuit_checks`.
    """
    whole, *_ = checks[checks["measure"] == "whole"].to_dict("records")
    without = checks[(checks["measure"] == "without") & (checks["by"] == "zero") & (checks["n"] == _N)]
    by_method = {row["method"]: row for row in without.to_dict("records")}
    strongest, random = by_method["frozen"], by_method["random"]
    values = {
        "sentences": int(whole["sentences"]),
        "whole": signed(whole["value"]),
        "ten": signed(strongest["value"]),
        "flipped": strongest["flipped"],
        "random_flipped": random["flipped"],
    }
    return Claim(strongest["high"] < random["low"] and strongest["flipped"] > 3 * random["flipped"], values)


def alone(checks: pd.DataFrame) -> Claim:
    """Return by how much the effect of one part, really off, differs from that in the held network."""
    (row,) = checks[checks["measure"] == "alone"].to_dict("records")
    return Claim(row["low"] > 0, {"value": row["value"]})


def methods(checks: pd.DataFrame) -> Claim:
    """Return whether the best ranking is another one in each test.

    Without the ten strongest parts, the plain gradient and EAP-IG cannot be told apart and break more words than held
    patterns do. With few parts kept, held patterns keep most. No ranking has the best area in every column.
    """
    without = checks[(checks["measure"] == "without") & (checks["by"] == "zero") & (checks["n"] == _N)]
    broken = {row["method"]: row for row in without.to_dict("records")}
    only = checks[(checks["measure"] == "only") & (checks["by"] == "mean") & np.isclose(checks["share"], _SHARE)]
    kept = {row["method"]: row for row in only.to_dict("records")}
    values = {
        "share": _SHARE,
        **{f"{name}_flipped": broken[method]["flipped"] for name, method in _NAMES.items()},
        **{f"{name}_kept": kept[method]["value"] for name, method in _NAMES.items()},
    }
    gradient, integrated, held = (broken[_NAMES[name]] for name in ("gradient", "integrated", "held"))
    overlap = gradient["low"] <= integrated["high"] and integrated["low"] <= gradient["high"]
    breaks = held["flipped"] < min(gradient["flipped"], integrated["flipped"])
    keeps = kept["frozen"]["low"] > max(kept[method]["high"] for method in ("attribution patching", "EAP-IG"))
    return Claim(overlap and breaks and keeps and len(_best_by_area(checks)) > 1, values)


def _best_by_area(checks: pd.DataFrame) -> set[str]:
    """Return the rankings that have the best CPR or CMD, by zero or by the mean."""
    areas = checks[(checks["measure"] == "area") & checks["method"].isin(_NAMES.values())]
    highest = areas[areas["area"] == "CPR"].sort_values("value").groupby("by").last()
    lowest = areas[areas["area"] == "CMD"].sort_values("value").groupby("by").first()
    return {*highest["method"], *lowest["method"]}


_WORDS = "pages/interventions/why_this_word"
CLAIMS = {"claim faithful": faithful, "claim alone": alone, "claim methods": methods}
"""What the page says of many sentences, by the headings of its words."""


def _of_shipped(claim: Callable[[pd.DataFrame], Claim]) -> Claim:
    return claim(circuit_checks(_SHIPPED))


COMPUTED_CLAIMS: Claims = {(_WORDS, heading): partial(_of_shipped, claim) for heading, claim in CLAIMS.items()}
