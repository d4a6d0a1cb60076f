"""Findings worth seeing, on the entrance: each one sentence, a picture, and a link that reopens exactly that view."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from viz.base.words import page_text
from viz.pages.start.components.cards import Card, cards
from viz.shell.encodings import planned_title
from viz.shell.navigation import page_at
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
        """Where it can be seen."""
        return f"{self.page}?{urlencode(self.query)}" if self.query else self.page


_ALIGNING_HEAD = {"kind": "cross", "heads": "2.5"}
FINDINGS = (
    Finding("alignment", "translate", {"text": TEXT["brother"], **_ALIGNING_HEAD}),
    Finding("heads", "switch-heads-off", {"text": TEXT["animal"], "off": "cross.2.1"}),
    Finding("gender", "edit-pattern", {"text": TEXT["house"], "edit-head": "Cross 3.5", "head-scale": "-1"}),
    Finding("misleads", "does-attention-explain", {"text": TEXT["brother"]}),
    Finding("lens", "logit-lens", {"text": TEXT["brother"]}),
    Finding("beam", "beam-search", {"text": TEXT["brother"]}),
    Finding("scale", "scale"),
    Finding("shuffle", "word-order"),
    Finding("reverse", "cliff", {"task": "Reverse"}),
    Finding("known", "probes", {"probe": planned_title("none")}),
    Finding("border", "segments"),
    Finding("training", "train"),
)


def show_findings() -> str | None:
    """Draw the findings; return the address of the one that a visitor has just opened, if any."""
    st.header(TEXT["title"])
    mode = theme()
    shown = [
        Card(
            sentence=TEXT[finding.name],
            page=page_at(finding.page).title,
            picture=THUMBNAILS / f"{finding.name}-{mode}.webp",
            address=finding.address,
        )
        for finding in FINDINGS
    ]
    return cards(shown, theme=mode, key="findings")
