"""Whether C-RASP's predictions of longer inputs are what our runs show."""

from collections.abc import Callable, Mapping

import pandas as pd

from model.zoo.predictions import GENERALIZES, compared
from viz.base.claims import Claim, Claims
from viz.pages.length_generalization.study.pairs import pair_names


def as_predicted(crasp_results: pd.DataFrame, zoo_results: pd.DataFrame) -> Claim:
    """Return whether every prediction that our runs can be held against is what they show."""
    judged = [entry for entry in compared(crasp_results, zoo_results) if entry.agrees is not None]
    parted = [(entry.task, entry.encoding) for entry in judged if not entry.agrees]
    values = {"agree": len(judged) - len(parted), "all": len(judged), "parted": pair_names(parted)}
    return Claim(bool(judged) and not parted, values)


def farther(crasp_results: pd.DataFrame, zoo_results: pd.DataFrame) -> Claim:
    """Return whether some pairs predicted to hold fall by three times the length, here and published.

    Those that did not learn their task are left out.
    """
    hold = [entry for entry in compared(crasp_results, zoo_results) if entry.predicted]
    here = [entry.here[1] for entry in hold if entry.here is not None and entry.is_learned]
    published = [entry.published[1] for entry in hold if entry.published is not None]
    stay, published_stay = (sum(far >= GENERALIZES for far in reached) for reached in (here, published))
    values = {"stay": stay, "all": len(here), "published": published_stay, "of": len(published), "least": GENERALIZES}
    return Claim(stay < len(here) and published_stay < len(published), values)


def confounded(crasp_results: pd.DataFrame, zoo_results: pd.DataFrame) -> Claim:
    """Return whether no task has both outcomes measured: they differ in their recipe, too."""
    judged = [entry for entry in compared(crasp_results, zoo_results) if entry.agrees is not None]
    by_task: dict[str, set[bool | None]] = {}
    for entry in judged:
        by_task.setdefault(entry.task, set()).add(entry.predicted)
    once = all(entry.n_seeds == 1 for entry in judged if entry.predicted)
    return Claim(bool(judged) and once and not any(len(outcomes) > 1 for outcomes in by_task.values()))


CLAIMS: Mapping[str, Callable[[pd.DataFrame, pd.DataFrame], Claim]] = {
    "claim predicted": as_predicted,
    "claim farther": farther,
    "claim confounded": confounded,
}
"""What is said of the predictions, in this order, by the heading of its words."""

COMPUTED_CLAIMS: Claims = {
    ("pages/length_generalization/predictions", heading): claim for heading, claim in CLAIMS.items()
}
