"""Train it yourself, run by Streamlit without a browser, and with a process that answers as a trainer does."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from unittest.mock import patch

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.zoo.messages import Refusal, to_bytes
from tests.app.running import open_page, run, warnings, written
from tests.fixtures.system import wait_until
from tests.fixtures.training import ENDS, GOES_ON, Answering
from viz.pages.training.choices import QUESTIONS
from viz.pages.training.live import LiveRuns
from viz.pages.training.ready import ReadyTrainers
from viz.pages.training.study.shipped import shipped_recordings
from viz.pages.training.train_yourself import TEXT, _answer
from viz.shell import heavy
from viz.shell.heavy import TRAINING
from viz.shell.state import session_key

PAGE = "train_yourself"

Takes = Callable[..., None]


@pytest.fixture
def takes(answering: Answering, monkeypatch: pytest.MonkeyPatch) -> Iterator[Takes]:
    """Have whoever presses Train get a process that answers, and then does what ``then`` says."""
    st.cache_resource.clear()

    def choose(then: str = ENDS, **answers: bytes) -> None:
        monkeypatch.setattr(ReadyTrainers, "take", lambda _: answering(then, **answers))

    yield choose
    st.cache_resource.clear()


def live(app: AppTest) -> LiveRuns:
    found: LiveRuns = app.session_state[session_key(LiveRuns)]
    return found


def press(app: AppTest, name: str) -> AppTest:
    app.button(key=f"train-{name}").click()
    return run(app)


def trained(app: AppTest) -> AppTest:
    """Press Train, and run the page again once four frames are there."""
    press(app, "now")
    wait_until(lambda: live(app).n_frames == 4)
    return run(app)


def test_it_opens_on_the_recorded_run_and_names_the_commands_of_what_is_chosen() -> None:
    app = open_page(PAGE)
    assert not app.warning
    assert "live-player" in {one.key for one in app.get("bidi_component")}
    assert [app.button(key=f"train-{name}").disabled for name in ("now", "pause", "stop")] == [False, True, True]
    assert app.code[0].value.splitlines()[0].startswith("python -m model.training.zoo.watch --layers 1 ")
    app.selectbox(key="m1-encoding").set_value("alibi")
    assert "--encoding alibi --layers 1" in run(app).code[0].value


def test_a_link_reopens_every_choice() -> None:
    app = open_page(PAGE, **{"models": "3", "train-task": "reverse", "train-seed": "7", "m3-layers": "4"})
    assert not app.warning
    third = app.code[0].value.splitlines()[2]
    for option in ("--task reverse", "--seed 7", "--layers 4", "--encoding none"):
        assert option in third


def test_what_was_trained_stays_to_be_played_back_and_names_its_commands(takes: Takes) -> None:
    takes()
    app = trained(open_page(PAGE))
    wait_until(lambda: not live(app).is_running)
    app = run(app)
    assert "Trained 400 steps" in written(app)
    assert "--every 4" in app.code[0].value
    assert {one.label for one in app.get("download_button")} >= {"Numbers of every step (Parquet)"}
    app.selectbox(key="m1-heads").set_value(4)
    assert "not the chosen ones" in written(run(app))


def test_a_conclusion_follows_the_steps_that_show_it() -> None:
    asked, shown = QUESTIONS["layers"], shipped_recordings("layers")
    at_first = [replace(one, held_out=one.held_out[:1].repeat(len(one.steps))) for one in shown]
    assert _answer("layers", asked, ()) == TEXT["answer layers"]
    assert _answer("layers", asked, at_first) == TEXT["answer layers"]
    assert _answer("layers", asked, shown[1:] * 2) == TEXT["answer layers"]
    assert _answer("layers", asked, shown).startswith("With one layer the model gets at most ")


@pytest.mark.parametrize("question", QUESTIONS)
def test_before_the_first_step_a_question_says_only_what_to_look_for(question: str) -> None:
    sentence = _answer(question, QUESTIONS[question], ())
    assert "?" in sentence or sentence.startswith(("Compare", "Watch"))


def test_pause_go_on_another_rate_and_stop(takes: Takes) -> None:
    takes(GOES_ON)
    app = trained(open_page(PAGE))
    assert "Step 12 of 400" in written(app)
    press(app, "pause")
    assert live(app).wish.is_paused
    assert "Paused at step 12" in written(run(app))
    app.select_slider(key="rate").set_value(0.1)
    run(app)
    assert (live(app).wish.is_paused, live(app).wish.rate_factor) == (True, 0.1)
    press(app, "pause")
    assert not live(app).wish.is_paused
    press(app, "stop")
    assert "Stopped at step 12" in written(run(app))
    assert app.button(key="train-stop").disabled


def test_a_visitor_has_one_run_and_sees_how_many_are_ahead(takes: Takes) -> None:
    takes(GOES_ON)
    others = [heavy.queue().enter(TRAINING) for _ in range(TRAINING.at_once + 1)]
    app = press(open_page(PAGE), "now")
    assert "2 ahead of you" in written(app)
    first = live(app)
    press(app, "now")
    assert not first.is_running
    assert live(app) is not first
    for place in others:
        place.leave()
    wait_until(lambda: live(app).n_frames == 4)
    live(app).stop()


def test_a_full_queue_gets_one_sentence(takes: Takes) -> None:
    takes()
    for _ in range(TRAINING.at_once + TRAINING.most_waiting):
        heavy.queue().enter(TRAINING)
    (warning,) = warnings(press(open_page(PAGE), "now"))
    assert f"{TRAINING.most_waiting} visitors are waiting already" in warning


@pytest.mark.parametrize(
    ("then", "answers", "sentence"),
    [
        ("import os; os.kill(os.getpid(), 9)", {}, "ended unexpectedly at step 12. What was seen of it is below"),
        (ENDS, {"content": to_bytes(Refusal("d_head is odd"))}, "cannot be trained: `d_head is odd`"),
    ],
)
def test_a_process_that_dies_or_refuses_gets_one_sentence_and_the_page_lives(
    takes: Takes, then: str, answers: dict[str, bytes], sentence: str
) -> None:
    takes(then, **answers)
    app = press(open_page(PAGE), "now")
    wait_until(lambda: not live(app).is_running)
    (warning,) = warnings(run(app))
    assert sentence in warning
    takes()
    assert not warnings(trained(app))


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_chooses_its_models_and_trains_them(takes: Takes, name: str) -> None:
    takes()
    app = open_page(PAGE, **{"train-seed": "9", "m1-heads": "4"})
    app.button(key=f"ask-{name}").click()
    run(app)
    assert not app.warning
    assert live(app).asked == QUESTIONS[name]
    wait_until(lambda: not live(app).is_running)


def test_a_damaged_recording_gets_one_sentence() -> None:
    st.cache_resource.clear()
    with patch("viz.pages.training.study.shipped.load_recording", side_effect=ValueError):
        (warning,) = warnings(open_page(PAGE))
    st.cache_resource.clear()
    assert "damaged or missing" in warning
