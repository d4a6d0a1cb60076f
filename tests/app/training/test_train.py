"""Train, run by Streamlit without a browser."""

from unittest.mock import patch

import pytest

from tests.app.running import open_in_app, warnings, written
from viz.base.words import page_text
from viz.pages.training.components import player
from viz.pages.training.study.shipped import RECORDED

TEXT = page_text("pages/training/train")


def test_it_opens_on_the_step_at_which_the_head_forms() -> None:
    app = open_in_app("train")
    assert not app.warning
    assert "training-player-layers" in {one.key for one in app.get("bidi_component")}
    assert "python -m model.training.zoo.watch" in app.code[0].value
    assert "With one layer" in written(app)


@pytest.mark.parametrize("step", ["3", "-4", "4.0", "x"])
def test_a_step_without_a_frame_gets_one_sentence(step: str) -> None:
    (warning,) = warnings(open_in_app("train", step=step))
    assert warning.startswith("The link asks for")
    assert "0, 4, … 400" in warning


def test_a_link_opens_at_its_step() -> None:
    with patch.object(player, "_mount") as mount:
        assert not open_in_app("train", step="40").warning
    assert b'"opens_at":10,"plays_from":10,' in mount.call_args.kwargs["data"]


def test_without_one_play_begins_with_the_first_step() -> None:
    with patch.object(player, "_mount") as mount:
        open_in_app("train")
    assert b'"plays_from":0,' in mount.call_args.kwargs["data"]


@pytest.mark.parametrize("question", RECORDED)
def test_each_question_has_its_link_its_runs_and_its_own_steps(question: str) -> None:
    app = open_in_app("train", question=question)
    assert not app.warning
    assert f"training-player-{question}" in {one.key for one in app.get("bidi_component")}
    assert len(app.code[0].value.splitlines()) == len(RECORDED[question])
    assert {one.label for one in app.get("download_button")} >= {"Numbers of every step (Parquet)"}


def test_a_step_of_another_question_is_left_alone() -> None:
    app = open_in_app("train", **{"question": "grokking", "step": "40", "grokking-step": "7"})
    (warning,) = warnings(app)
    assert "`7` as grokking-step" in warning
