"""Generation, run by Streamlit without a browser, on a tiny model with fresh weights; each run writes for a moment."""

import re
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model.attention import SegmentSpec
from model.decoding.options import SamplingOptions
from model.decoding.segmented import MemoryGenerator
from pretrained.language_models import load_language_model
from tests.app.running import open_source, run, written
from viz.pages.transformer_xl import generation, writing
from viz.shell import heavy

N_FIRST = 3
SECTION = """\
from viz.pages.transformer_xl.generation import show_generation
from viz.pages.transformer_xl.state import MAIN, given_text, language_model

loaded = language_model(MAIN)
show_generation(loaded, given_text(loaded.vocabulary))
"""

pytestmark = pytest.mark.usefixtures("language_models", "few")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a machine of any speed write so many characters in one or two runs."""
    monkeypatch.setattr(generation, "MOST_WRITTEN", 30)
    monkeypatch.setattr(writing, "MOST_WRITTEN", 30)
    monkeypatch.setattr(generation, "_OPENS_WITH", N_FIRST)
    monkeypatch.setattr(generation, "_SPELL", 30.0)


@pytest.fixture(autouse=True)
def own_queue() -> None:
    """Begin with a queue in which nobody waits."""
    heavy.queue.clear()


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click()
    return run(app)


def page_of(app: AppTest) -> str:
    (html,) = [one.proto.body for one in app.get("html") if 'class="written"' in one.proto.body]
    return html.partition("</span>")[2].removesuffix("</div>")


def n_written(app: AppTest) -> int:
    return int(re.search(r"([\d,]+) characters written", written(app))[1])


def test_it_opens_on_a_beginning_and_writes_no_more_until_it_is_asked_for() -> None:
    app = open_source(SECTION)
    assert n_written(app) == n_written(run(app)) == N_FIRST
    assert app.get("plotly_chart")
    assert app.button(key="xl-stop").disabled


def test_it_writes_what_the_seed_says_after_the_prompt(language_models: Path) -> None:
    app = press(open_source(SECTION, text="Pierre went to the ball.", **{"xl-seed": "7"}), "xl-write")
    loaded = load_language_model("transformer_xl", language_models)
    ids = loaded.vocabulary.encode("Pierre went to the ball.").ids
    writer = MemoryGenerator(loaded.model, ids, SegmentSpec(16, 32), seed=7)
    expected = loaded.vocabulary.decode([writer.write(SamplingOptions(0.8, 0.95)) for _ in range(30)])
    assert page_of(app).replace("&#x27;", "'").replace("&quot;", '"') == expected
    assert re.search(r"30 characters written, [\d,]+ a second", written(app))
    assert "characters is reached: begin again" in written(app)
    (chart,) = app.get("plotly_chart")
    assert "Drawn was" in chart.proto.alt


def test_it_stops_and_goes_on_and_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation, "_SPELL", 0.0)
    app = press(open_source(SECTION), "xl-write")
    assert not app.button(key="xl-stop").disabled
    app = press(app, "xl-stop")
    assert app.button(key="xl-stop").disabled
    monkeypatch.setattr(generation, "_SPELL", 30.0)
    assert n_written(run(app)) == N_FIRST
    app = press(app, "xl-write")
    assert n_written(app) == 30
    assert n_written(press(app, "xl-clear")) == N_FIRST


def test_another_prompt_or_seed_begins_anew_and_another_temperature_does_not() -> None:
    app = press(open_source(SECTION), "xl-write")
    before = page_of(app)
    app.number_input(key="xl-temperature").set_value(1.5)
    assert page_of(run(app)) == before
    app.number_input(key="xl-seed").set_value(2)
    assert n_written(run(app)) == N_FIRST


@pytest.mark.parametrize("text", ["ab", "你好世界" * 40, "<script>alert(1)</script>\n\x00"])
def test_any_text_can_be_gone_on_with(text: str) -> None:
    app = press(open_source(SECTION, text=text), "xl-write")
    assert "30 characters written" in written(app)
    assert "<script>" not in written(app)


def test_who_waits_sees_his_place_and_writes_when_it_is_his_turn() -> None:
    others = [heavy.queue().enter(heavy.WRITING) for _ in range(heavy.WRITING.at_once)]
    app = press(open_source(SECTION), "xl-write")
    assert "1 ahead of you" in written(app)
    assert n_written(app) == N_FIRST
    others[0].leave()
    assert "30 characters written" in written(run(app))


def test_a_place_that_was_lost_stops_the_writing_and_is_taken_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation, "_SPELL", 0.0)
    monkeypatch.setattr(generation, "LEASE", 0.5)
    app = press(open_source(SECTION), "xl-write")
    time.sleep(0.6)
    app = run(app)
    assert app.button(key="xl-stop").disabled
    monkeypatch.setattr(generation, "_SPELL", 30.0)
    monkeypatch.setattr(generation, "LEASE", 60.0)
    assert len(page_of(press(app, "xl-write"))) >= 30


def test_a_full_queue_gets_one_sentence() -> None:
    others = [heavy.queue().enter(heavy.WRITING) for _ in range(heavy.WRITING.at_once + heavy.WRITING.most_waiting)]
    (toast,) = press(open_source(SECTION), "xl-write").toast
    assert f"{heavy.WRITING.most_waiting} visitors are waiting" in toast.value
    assert len(others) > heavy.WRITING.most_waiting
