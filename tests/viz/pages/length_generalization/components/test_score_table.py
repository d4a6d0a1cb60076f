import pytest

from viz.base.colours import PALETTES, Theme
from viz.pages.length_generalization.components.score_table import ScoreCell, score_table


def draw(*cells: ScoreCell, theme: Theme = "light") -> str:
    rows = {("<b>task</b>", "<i>"): cells}
    return score_table(rows, corner="<u>", columns=["<s>"] * len(cells), name='"name"', theme=theme)


@pytest.mark.parametrize("theme", list(PALETTES))
def test_a_cell_is_as_deep_as_its_score_and_both_numbers_stand_in_it(theme: Theme) -> None:
    shown = draw(ScoreCell(0.256, "0.1–0.4 (3)", "paper 0.30"), theme=theme)
    assert '<td style="--p:0.256">0.26<small>0.1–0.4 (3)</small><small>paper 0.30</small></td>' in shown


def test_the_best_of_a_row_is_set_apart_without_colour() -> None:
    assert "<strong>0.90</strong>" in draw(ScoreCell(0.9, is_first=True), ScoreCell(0.8))
    assert "<strong>" not in draw(ScoreCell(0.8))


def test_what_was_not_measured_is_a_dash_beside_what_others_measured() -> None:
    assert '<td class="empty">–<small>paper 0.30</small></td>' in draw(ScoreCell(other="paper 0.30"))
    assert '<td class="empty">–</td>' in draw(ScoreCell())


def test_no_text_is_markup() -> None:
    shown = draw(ScoreCell(0.5, "<script>", "<script>"))
    for mark in ("<b>", "<i>", "<u>", "<s>", "<script>"):
        assert mark not in shown


def test_a_table_that_scrolls_can_be_reached_by_keyboard_and_has_a_name() -> None:
    assert 'tabindex="0" role="region" aria-label="&quot;name&quot;"' in draw(ScoreCell())
