"""The memory microscope, run by Streamlit without a browser, on a tiny model with fresh weights."""

import pytest

from tests.app.running import alts, open_source, run, written
from viz.pages.transformer_xl.study.microscope import Change

SECTION = """\
from viz.pages.transformer_xl.microscope import show_microscope
from viz.pages.transformer_xl.state import MAIN, given_text, language_model

loaded = language_model(MAIN)
show_microscope(loaded, given_text(loaded.vocabulary))
"""
# The tiny model: 3 layers, segments of 16, 32 remembered.
REACH, SEGMENT = 3 * 32, 16

pytestmark = pytest.mark.usefixtures("language_models")


def test_it_opens_on_a_change_that_is_measured() -> None:
    app = open_source(SECTION)
    assert "characters back: the prediction changes by" in written(app)
    assert "What follows is" in written(app)
    layers, spread = alts(app)
    assert layers.count("Layer 3") == 2
    assert "by layer: 1: 0," in spread
    assert not app.warning


@pytest.mark.parametrize(("alone", "is_explained"), [(0.27, True), (0.2601, False), (0.2, False)])
def test_a_part_larger_than_the_whole_is_explained(
    alone: float, is_explained: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = Change(0.26, (0.0, 0.01, alone), (0.26, 0.26, 0.0))
    monkeypatch.setattr("viz.pages.transformer_xl.study.microscope.measured", lambda _: size)
    said = written(open_source(SECTION))
    assert "that of layer 3 carries most of it" in said
    assert ("the other layers undo a part of it" in said) == is_explained


def test_a_change_out_of_reach_changes_nothing_and_one_inside_does() -> None:
    place = 40 * SEGMENT + 5
    earliest = 40 * SEGMENT - REACH
    link = {"xl-place": str(place + 1), "xl-becomes": "x"}
    outside = open_source(SECTION, **link, **{"xl-changed": str(earliest)})
    assert "the prediction stays the same to the last digit" in written(outside)
    assert f"go back to character {earliest + 1:,} from here" in written(outside)
    assert not alts(outside)
    inside = open_source(SECTION, **link, **{"xl-changed": str(earliest + 1)})
    assert "stays the same" not in written(inside)
    assert len(alts(inside)) == 2


def test_a_change_in_the_segment_comes_through_no_memory() -> None:
    place = 40 * SEGMENT + 5
    app = open_source(SECTION, **{"xl-place": str(place + 1), "xl-changed": str(place - 1), "xl-becomes": "Z"})
    assert "it comes through no memory" in written(app)
    assert len(alts(app)) == 1


def test_the_same_character_is_no_change() -> None:
    text = "Pierre went to the ball and smiled."
    app = open_source(SECTION, text=text, **{"xl-place": "20", "xl-changed": "1", "xl-becomes": "P"})
    assert "Character 1 is “P” already" in written(app)


def test_another_text_puts_the_places_right() -> None:
    app = open_source(SECTION, **{"xl-place": "4000", "xl-changed": "3950"})
    app.text_area(key="xl-own-text").set_value("Natasha smiled.")
    app = run(app)
    assert app.number_input(key="xl-place").value <= 15
    assert app.number_input(key="xl-changed").value <= app.number_input(key="xl-place").value
    assert "Shown are characters 1 to 15 of 15" in written(app)
    assert not app.warning


@pytest.mark.parametrize("text", ["ab", "你好世界" * 40, "a\x00\u202eb\n" * 30, "<b>&amp;</b> `x` **y** " * 10])
@pytest.mark.parametrize("place", ["1", "2", "40"])
def test_any_text_is_shown_from_any_place(text: str, place: str) -> None:
    app = open_source(SECTION, text=text, **{"xl-place": place})
    assert "From character" in written(app)


def test_less_memory_reaches_less_and_none_reaches_nothing_before_the_segment() -> None:
    place = 40 * SEGMENT + 5
    link = {"xl-place": str(place + 1), "xl-changed": str(40 * SEGMENT), "xl-memory": "0", "xl-becomes": "x"}
    app = open_source(SECTION, **link)
    assert "the model has 0 characters in memory" in written(app)
    assert "stays the same to the last digit" in written(app)


def test_a_head_of_the_link_is_shown_and_one_that_is_none_gets_a_sentence() -> None:
    assert not open_source(SECTION, **{"xl-head": "2.1"}).warning
    (warning,) = open_source(SECTION, **{"xl-head": "9.1"}).warning
    assert "1.1, 1.2, 2.1, 2.2, 3.1, 3.2" in warning.value


@pytest.mark.parametrize("head", ["many", f"1.{'9' * 5_000}"])
def test_a_link_to_no_head_gets_one_sentence(head: str) -> None:
    assert len(open_source(SECTION, **{"xl-head": head}).warning) == 1
