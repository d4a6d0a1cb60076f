"""Tells texts unlike those that a translator was trained on, by measures of it on known sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Reason = Literal["unsure", "finely cut"]
UNSURE = (0.01, 0.02)
"""Shares of the known sentences with less confidence, where low confidence alone is enough."""
RATHER_UNSURE, FINELY_CUT = 0.35, 0.02
"""Shares of the known sentences with less confidence and with more pieces, where it takes both."""


@dataclass(frozen=True)
class Unfamiliar:
    """Why a text is unfamiliar, and the share of the known sentences that are so by the same measure."""

    reason: Reason
    share: float


def unfamiliar(known: Mapping[str, Any], confidence: float, fertility: float) -> Unfamiliar | None:
    """Return why a text is unlike the ``known`` sentences; None if it is not.

    Args:
        known: the entry ``familiarity`` of a translator's metrics.
        confidence: the mean log-probability of a token of the translation.
        fertility: of the text, as :func:`~model.text.fertility.fertility`.
    """
    shares = [share for share in UNSURE if confidence < known["confidence"][f"{share:g}"]]
    if shares:
        return Unfamiliar("unsure", min(shares))
    if doubtful_and_finely_cut(known, confidence, fertility):
        return Unfamiliar("finely cut", known["both"])
    return None


def doubtful_and_finely_cut(known: Mapping[str, Any], confidence: float, fertility: float) -> bool:
    """Return whether both hold that count only together; ``known["both"]`` is the known sentences' share."""
    doubtful = confidence < known["confidence"][f"{RATHER_UNSURE:g}"]
    return doubtful and fertility > known["fertility"][f"{FINELY_CUT:g}"]
