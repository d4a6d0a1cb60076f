"""The sections on the four terms and on the shift, run by Streamlit without a browser, on a tiny model."""

import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.positional import PositionalConfig
from tests.app.running import alt, open_source, run, written
from tests.fixtures.language_models import publish_language_model
from viz.pages.transformer_xl import distance
from viz.pages.transformer_xl.study.terms import DistanceMeans

_READ = """\
from viz.pages.transformer_xl.shift import show_shift
from viz.pages.transformer_xl.state import MAIN, given_text, language_model
from viz.pages.transformer_xl.terms import show_terms

loaded = language_model(MAIN)
text = given_text(loaded.vocabulary)
"""
SECTION = f"{_READ}show_terms(loaded, text)\n"
SHIFT = f"{_READ}show_shift(loaded, text)\n"

pytestmark = pytest.mark.usefixtures("language_models")


def losses(app: AppTest) -> tuple[float, float]:
    """Return bits per character as they are and with all gains at 1."""
    found = re.search(r"\*\*([\d.]+) bits per character\*\* .* against ([\d.]+)", written(app))
    if found is None:
        (alone,) = re.findall(r"\*\*([\d.]+) bits per character\*\*", written(app))
        return float(alone), float(alone)
    return float(found[1]), float(found[2])


def test_it_opens_on_the_model_as_trained() -> None:
    app = open_source(SECTION)
    assert "with all gains at 1 (characters predicted: 16). Move a gain" in written(app)
    assert not app.warning
    assert "Mean attention by distance back, from 0 to 32 characters, a row for each of 6 heads" in alt(app)


def test_a_term_left_out_changes_the_loss_and_reset_brings_it_back() -> None:
    app = open_source(SECTION)
    trained, _ = losses(app)
    app.button(key="without-a").click()
    changed, before = losses(run(app))
    assert before == trained != changed
    assert app.query_params["gain-a"] == "0"
    app.button(key="gain-reset").click()
    assert losses(run(app)) == (trained, trained)


def test_a_gain_in_a_link_is_the_same_gain() -> None:
    app = open_source(SECTION)
    app.slider(key="gain-b").set_value(2.0)
    changed, _ = losses(run(app))
    assert losses(open_source(SECTION, **{"gain-b": "2.0"}))[0] == changed


def test_the_scope_of_a_gain_counts() -> None:
    by_scope = {
        scope: losses(open_source(SECTION, **{"gain-a": "0.0", "gain-scope": scope}))[0]
        for scope in ("all", "layer", "head")
    }
    assert len(set(by_scope.values())) == 3


def test_every_segment_of_a_text_can_be_shown() -> None:
    app = open_source(SECTION, text="Pierre went to the ball and smiled.")
    for segment, predicted in ((1, 16), (2, 16), (3, 2)):
        app.number_input(key="terms-segment").set_value(segment)
        assert f"characters predicted: {predicted})" in written(run(app))


def test_the_segment_that_was_stepped_to_can_be_taken() -> None:
    stepped = """
from viz.pages.transformer_xl.state import ShownSegment
from viz.shell.state import keep_in_session
keep_in_session(ShownSegment("", 6))
"""
    for prefix, section in (("terms", SECTION), ("shift", SHIFT)):
        app = open_source(stepped + section)
        app.button(key=f"{prefix}-take").click()
        assert run(app).number_input(key=f"{prefix}-segment").value == 7


def test_a_shorter_text_takes_the_last_segment_that_it_has() -> None:
    for prefix, section in (("terms", SECTION), ("shift", SHIFT)):
        app = open_source(section, **{f"{prefix}-segment": "9"})
        app.text_area(key="xl-own-text").set_value("Pierre smiled, and went to the ball.")
        assert run(app).number_input(key=f"{prefix}-segment").value == 3
        app.text_area(key="xl-own-text").set_value("Hi")
        assert not run(app).warning
        assert prefix == "shift" or "characters predicted: 1)" in written(app)


@pytest.mark.parametrize("text", ["你好世界", "ab", "\n\n\n", "<b>$x$</b> & `y` {z}", "x" * 100_000])
def test_any_text_is_taken_apart(text: str) -> None:
    for section, said in ((SECTION, "bits per character"), (SHIFT, "Checked just now")):
        app = open_source(section)
        app.text_area(key="xl-own-text").set_value(text)
        assert said in written(run(app))


@pytest.mark.parametrize("term", ["(a) content", "(b) position", "(c) content bias", "(d) position bias"])
def test_each_term_has_its_means_over_distance(term: str) -> None:
    app = open_source(SECTION, **{"terms-mean": term[1]})
    assert f"Mean of term {term} by distance back" in alt(app)
    assert "standard deviation" in alt(app)


def test_what_each_term_is_worth_is_a_table() -> None:
    (table,) = [html.proto.body for html in open_source(SECTION).get("html") if "plain-table" in html.proto.body]
    assert [term in table for term in ("nothing", "(a) content", "(b) position", "(c) content bias")] == [True] * 4


def test_the_shift_is_checked_live_on_the_whole_segment() -> None:
    said = written(open_source(SHIFT))
    small = r"(0|\d\s×\s10⁻[⁵⁶⁷⁸⁹])"
    assert re.search(
        rf"differ by at most {small} from those with an R for each pair, and by at most {small} from", said
    )
    # Segments of 16 with 32 remembered.
    assert "**48 vectors" in said
    assert "instead of 768**" in said
    assert "it is 7 instead of 28" in said


def test_where_less_is_remembered_the_shift_says_so() -> None:
    app = open_source(SHIFT, **{"shift-segment": "1"})
    (info,) = app.info
    assert "There are 0 remembered characters" in info.value
    assert "it is 4 instead of 16" in written(app)


def test_a_model_without_the_terms_gets_a_sentence(language_models: Path) -> None:
    (language_models / "transformer_xl").rename(language_models / "other.unfinished")
    publish_language_model(language_models, positional=PositionalConfig("sinusoidal"), mem_len=0)
    assert "are not made of four terms" in written(open_source(SECTION))
    assert "there is nothing to shift" in written(open_source(SHIFT))


@pytest.mark.parametrize("n_distances", [1, 2, 16, 17, 64, 65])
def test_no_head_is_named_for_a_distance_that_nothing_reaches(n_distances: int) -> None:
    attention = np.zeros((2, 3, n_distances), dtype=np.float32)
    attention[1, 2, -1] = 1
    said = distance._description(DistanceMeans(attention, np.zeros((4, 2, 3, n_distances)), 9), "attention")
    assert "last 16 characters" in said
    assert ("layer 2, head 3 puts most: 100%" in said) == (n_distances > 16)
    assert ("Farther back" in said) == (n_distances > 16)
