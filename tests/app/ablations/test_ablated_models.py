"""Ablated models, run by Streamlit without a browser."""

import pytest

from pretrained.ablated_models import ROWS
from tests.app.running import charts, open_page, warnings, written
from viz.base.words import page_text

NAMES = page_text("pages/ablations/ablated_models")


def test_it_opens_on_the_scale_that_is_missing() -> None:
    app = open_page("ablated_models")
    assert not app.warning
    alts = [charts(app)[f"ablated-{side}"].alt for side in ("left", "right")]
    assert all(alt.startswith("Cross-attention in layer 4") for alt in alts)
    assert "base: 1." in alts[0]
    assert "no 1/√d_k: 0." in alts[1]
    assert "**base** (BLEU 3" in written(app)


@pytest.mark.parametrize("row", ROWS)
def test_every_row_that_ships_is_shown(row: str) -> None:
    app = open_page("ablated_models", right=row)
    assert not app.warning
    assert f"**{NAMES[f'name {row}']}** (BLEU" in written(app)


def test_no_text_and_too_much_get_one_sentence() -> None:
    (warning,) = warnings(open_page("ablated_models", caption=" "))
    assert warning.startswith("There is nothing to translate")
    (warning,) = warnings(open_page("ablated_models", caption="\u019b" * 300))
    assert "at most 256" in warning
