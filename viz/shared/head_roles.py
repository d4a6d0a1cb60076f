"""Roles of a translator's heads, from measurements over many sentences."""

from collections.abc import Mapping

import pandas as pd

from pretrained import head_catalogue
from viz.shared.shipped import cached_while_unchanged

MOST_ERROR = 0.4
"""The alignment error rate up to which a head of cross-attention aligns words."""
LEAST_SHARE = 0.5
"""The share of a head's weight that makes a role of it."""
_SHARES = {"previous": "previous", "next": "next", "same": "same", "sink": "rest"}


def head_roles(catalogue: pd.DataFrame, alignment: pd.DataFrame) -> Mapping[str, str]:
    """Return the role of each head that has one, by kind, layer, head from 1: ``encoder.2.3``.

    Args:
        catalogue: as :func:`pretrained.head_catalogue.head_roles` returns it.
        alignment: as :func:`pretrained.head_catalogue.alignment_errors` returns it.
    """
    roles = {}
    for row in catalogue.to_dict("records"):
        shares = {role: row[measure] for measure, role in _SHARES.items() if row[measure] >= LEAST_SHARE}
        if shares:
            roles[f"{row['kind']}.{row['layer']}.{row['head']}"] = max(shares, key=shares.__getitem__)
    return roles | {f"cross.{layer}.{head}": "alignment" for layer, head in _aligning(alignment)}


@cached_while_unchanged(
    lambda model: [head_catalogue.roles_path(model), head_catalogue.alignment_path(model)], max_entries=16
)
def roles_of(model: str) -> Mapping[str, str]:
    """Return the roles of heads of the translator ``model``; empty without a readable measurement."""
    try:
        return head_roles(head_catalogue.head_roles(model), head_catalogue.alignment_errors(model))
    except (OSError, ValueError, KeyError):
        # *What heads do* tells of a damaged file; here heads have no role then.
        return {}


def _aligning(alignment: pd.DataFrame) -> list[tuple[int, int]]:
    if alignment.empty:
        return []
    is_measured = (alignment["part"] == "all") & (alignment["step"] == "output") & (alignment["weighing"] == "weights")
    heads = alignment[is_measured & (alignment["head"] > 0) & (alignment["error"] <= MOST_ERROR)]
    return [(int(layer), int(head)) for layer, head in zip(heads["layer"], heads["head"], strict=True)]
