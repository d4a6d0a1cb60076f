"""Findings worth seeing, on the entrance: each a sentence, a picture, and a link to its view."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from viz.base.claims import Claim
from viz.base.words import page_text
from viz.pages.start.components.cards import Card, cards
from viz.pages.start.study.findings import (
    ABLATED_HEAD,
    ALIGNING_HEAD,
    ANIMAL,
    BROTHER,
    GENDER_HEAD,
    GIRL,
    HOUSE,
    N_KEYS,
    STORED,
    TURNED_HEAD,
    stored,
)
from viz.shared.encodings import planned_title
from viz.shared.shipped import cached_while_unchanged
from viz.shell.navigation import place_at
from viz.shell.page import theme

TEXT = page_text("pages/start/findings")
THUMBNAILS = Path(__file__).parent / "data" / "thumbnails"
"""Made by ``python -m benchmarks.thumbnails``."""


@dataclass(frozen=True)
class Finding:
    """The name of its sentence and of its picture, the page that shows it, and what the link carries."""

    name: str
    page: str
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """The address of its view."""
        return place_at(self.page).address_with(self.query)


def _head(place: tuple[int, int]) -> str:
    return f"{place[0]}.{place[1]}"


FINDINGS = (
    Finding("alignment", "translate", {"text": BROTHER, "kind": "cross", "heads": _head(ALIGNING_HEAD)}),
    Finding("heads", "switch-heads-off", {"text": ANIMAL, "off": f"cross.{_head(ABLATED_HEAD)}"}),
    Finding(
        "gender",
        "edit-pattern",
        {"text": HOUSE, "edit-head": f"cross.{_head(TURNED_HEAD)}", "look": "as is", "head-scale": "-1"},
    ),
    Finding("pronoun", "switch-heads-off", {"text": GIRL, "off": f"cross.{_head(GENDER_HEAD)}"}),
    Finding("distance", "phenomena", {"phenomenon": "distance"}),
    Finding("misleads", "does-attention-explain", {"text": BROTHER}),
    Finding("lens", "logit-lens", {"text": BROTHER}),
    Finding("beam", "beam-search", {"text": BROTHER}),
    Finding("scale", "scale", {"keys": str(N_KEYS)}),
    Finding("shuffle", "word-order"),
    Finding("reverse", "cliff", {"task": "reverse"}),
    Finding("known", "probes", {"probe": "none"}),
    Finding("border", "segments"),
    Finding("training", "train"),
)


def show_findings() -> str | None:
    """Draw the findings that hold; return the address of the one that a visitor has just opened, if any."""
    claims = _claims()
    mode = theme()
    shown = [
        Card(
            sentence=sentence,
            page=place_at(finding.page).page.title,
            picture=THUMBNAILS / f"{finding.name}-{mode}.webp",
            address=finding.address,
        )
        for finding in FINDINGS
        if finding.name in claims
        and (sentence := claims[finding.name].sentence(TEXT, f"claim {finding.name}", {"encoding": planned_title}))
    ]
    if not shown:
        return None
    st.header(TEXT["title"].format(n=len(shown)))
    return cards(shown, theme=mode, key="findings")


@cached_while_unchanged(lambda: [STORED], max_entries=1)
def _claims() -> Mapping[str, Claim]:
    """Return what was computed for each finding; nothing where that cannot be read."""
    try:
        return stored()
    except (OSError, ValueError, KeyError):
        return {}
