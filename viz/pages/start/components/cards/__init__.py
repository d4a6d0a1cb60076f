"""Cards that each show a picture and one sentence, and open the view that they are of."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from viz.base.colours import Theme, style_variables
from viz.components.browser import bundle

_FOLDER = Path(__file__).parent
_mount = st.components.v2.component(
    "cards", css=(_FOLDER / "cards.css").read_text(encoding="utf-8"), js=bundle(_FOLDER / "main.js")
)


@dataclass(frozen=True)
class Card:
    """A card: its sentence, its page, its picture (WebP), and the address that it opens."""

    sentence: str
    page: str
    picture: Path
    address: str


def cards(shown: Sequence[Card], *, theme: Theme, key: str) -> str | None:
    """Draw ``shown`` beside each other; return the address of the card that was just opened, if any."""
    data = {
        "style": style_variables(theme),
        "cards": [
            {
                "sentence": card.sentence,
                "page": card.page,
                "address": card.address,
                "picture": f"data:image/webp;base64,{b64encode(card.picture.read_bytes()).decode()}",
            }
            for card in shown
        ],
    }
    opened: str | None = _mount(key=key, data=data, on_opened_change=lambda: None).opened
    return opened
