"""When a text counts as unlike those that a translator learned from, by what was measured of it on known sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Reason = Literal["unsure", "finely cut"]
UNSURE = (0.01, 0.02)
"""Of the known sentences, how many are less sure than each quantile of sureness that tells by itself."""
RATHER_UNSURE, FINELY_CUT = 0.35, 0.02
"""Of the known sentences, how many are less sure, and how many cut into more pieces, where it takes both to tell."""


@dataclass(frozen=True)
class Unfamiliar:
    """Why a text is unfamiliar, and which share of the known sentences is, by the same measure, no less so."""

    reason: Reason
    share: float


def unfamiliar(known: Mapping[str, Any], sureness: float, fragmentation: float) -> Unfamiliar | None:
    """Return why a text is unlike the ``known`` sentences; None if it is not.

    Args:
        known: the entry ``familiarity`` of a translator's metrics.
        sureness: the mean log-probability of a token of the translation.
        fragmentation: of the text, as :func:`~model.text.fertility.fertility`.
    """
    shares = [share for share in UNSURE if sureness < known["sureness"][f"{share:g}"]]
    if shares:
        return Unfamiliar("unsure", min(shares))
    if doubtful_and_finely_cut(known, sureness, fragmentation):
        return Unfamiliar("finely cut", known["both"])
    return None


def doubtful_and_finely_cut(known: Mapping[str, Any], sureness: float, fragmentation: float) -> bool:
    """Return whether both hold that tell only together; ``known["both"]`` is the share of which they do."""
    doubtful = sureness < known["sureness"][f"{RATHER_UNSURE:g}"]
    return doubtful and fragmentation > known["fragmentation"][f"{FINELY_CUT:g}"]
