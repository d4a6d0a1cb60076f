"""Whether C-RASP's predictions of longer inputs are what our runs show."""

import pandas as pd

from model.zoo.predictions import compared
from viz.base.claims import Claim, Claims, Names

_SEPARATOR = "/"


def as_predicted(crasp_results: pd.DataFrame, zoo_results: pd.DataFrame) -> Claim:
    """Return whether every prediction that our runs can be held against is what they show."""
    judged = [entry for entry in compared(crasp_results, zoo_results) if entry.agrees is not None]
    parted = tuple(f"{entry.task}{_SEPARATOR}{entry.encoding}" for entry in judged if not entry.agrees)
    values = {"agree": len(judged) - len(parted), "all": len(judged), "parted": Names("pair", parted)}
    return Claim(bool(judged) and not parted, values)


def pair_of(name: str) -> tuple[str, str]:
    """Return the task and the encoding of a pair that :func:`as_predicted` names."""
    task, _, encoding = name.partition(_SEPARATOR)
    return task, encoding


COMPUTED_CLAIMS: Claims = {("pages/length_generalization/predictions", "claim predicted"): as_predicted}
