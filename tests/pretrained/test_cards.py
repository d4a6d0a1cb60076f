"""Cards: whoever takes weights from a folder learns there where they come from, and on what terms."""

from pathlib import Path

import pytest

from pretrained.translators import FOLDER

CARD = "card.md"
WEIGHTS = sorted(FOLDER.glob("**/*.safetensors"))
TERMS = ("CC BY", "research and education", "Public domain", "Apache-2.0")


@pytest.mark.parametrize("folder", sorted({path.parent for path in WEIGHTS}), ids=lambda path: path.name)
def test_weights_have_a_card_with_their_terms(folder: Path) -> None:
    above = [folder, *folder.parents]
    cards = [there / CARD for there in above[: above.index(FOLDER)] if (there / CARD).exists()]
    assert cards, f"no card says where {folder} comes from"
    assert any(term in cards[0].read_text(encoding="utf-8") for term in TERMS)
