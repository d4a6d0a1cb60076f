"""Ablated models, run by Streamlit without a browser."""

from statistics import fmean

import pytest

from model.decoding.options import GREEDY
from pretrained.ablated_models import ROWS, load_ablated
from pretrained.ablations import ablation_results
from tests.app.running import charts, open_page, warnings, written
from viz.base.words import page_text
from viz.pages.ablations.study.side_by_side import layer_map
from viz.pages.ablations.study.table_3 import finished_runs

TEXT = page_text("pages/ablations/ablated_models")


def test_it_opens_on_the_scale_that_is_missing() -> None:
    app = open_page("ablated_models")
    assert not app.warning
    for side, row in (("left", "base"), ("right", "unscaled")):
        of_layer = layer_map(load_ablated(row).translate(TEXT["opening caption"], GREEDY), 3)
        alt = charts(app)[f"ablated-{side}"].alt
        assert alt.startswith("Cross-attention in layer 4")
        assert f"{TEXT[f'name {row}']}: {of_layer.entropy:.2f} bits" in alt
        assert f"{of_layer.largest:.0%} on the largest weight" in alt
        bleu = fmean(run.sacrebleu for run in finished_runs(ablation_results())[row].values())
        assert f"**{TEXT[f'name {row}']}** (BLEU {bleu:.1f})" in written(app)


def test_heads_are_as_sharp_as_the_words_say() -> None:
    base, unscaled, many = (
        layer_map(load_ablated(row).translate(TEXT["opening caption"], GREEDY), 3)
        for row in ("base", "unscaled", "h32")
    )
    assert unscaled.largest > 0.9
    assert unscaled.entropy < base.entropy < many.entropy


@pytest.mark.parametrize("row", ROWS)
def test_every_row_that_ships_is_shown(row: str) -> None:
    app = open_page("ablated_models", right=row)
    assert not app.warning
    assert f"**{TEXT[f'name {row}']}** (BLEU" in written(app)


def test_no_text_and_too_much_get_one_sentence() -> None:
    (warning,) = warnings(open_page("ablated_models", caption=" "))
    assert warning.startswith("There is nothing to translate")
    (warning,) = warnings(open_page("ablated_models", caption="\u019b" * 300))
    assert "at most 256" in warning
