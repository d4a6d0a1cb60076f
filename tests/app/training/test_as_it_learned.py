"""As it learned, run by Streamlit without a browser."""

from pathlib import Path
from unittest.mock import patch

import pytest

from pretrained import snapshots
from tests.app.running import open_page, run, warnings, written
from viz.pages.training import snapshots as shown
from viz.pages.training.components import player


def test_it_opens_on_a_sentence_that_the_last_model_translates_best() -> None:
    with patch.object(player, "_mount") as mount:
        app = open_page("as_it_learned")
    assert not app.warning
    header = mount.call_args.kwargs["data"]
    assert b'"is_cross":true' in header
    found = snapshots.read_snapshots().snapshots
    assert [one.bleu for one in found] == sorted(one.bleu for one in found)
    assert f"{found[-1].step:,}" in written(app)


def test_every_step_that_ships_can_be_linked_and_another_one_gets_a_sentence() -> None:
    steps = [one.step for one in snapshots.read_snapshots().snapshots]
    with patch.object(player, "_mount") as mount:
        assert not open_page("as_it_learned", step=str(steps[2])).warning
    assert b'"opens_at":2,' in mount.call_args.kwargs["data"]
    (warning,) = warnings(open_page("as_it_learned", step="51"))
    assert warning.startswith("The link asks for")


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        (" ", "There is nothing to translate"),
        ("\u019b" * 300, "This text"),
        ("猫が好きです。", "This model reads English"),
    ],
)
def test_a_text_that_cannot_be_read_gets_one_sentence_and_the_last_one_stays(text: str, begin: str) -> None:
    app = open_page("as_it_learned", **{"learned-caption": "Two dogs are running."})
    app.text_input[0].set_value(text)
    with patch.object(player, "_mount") as mount:
        (warning,) = warnings(run(app))
    assert warning.startswith(begin)
    assert warning.endswith("Below is still the sentence before.")
    assert b"dogs" in mount.call_args.kwargs["data"]


def test_damaged_weights_are_told_and_the_page_lives(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(shown, "SNAPSHOTS", tmp_path)
    monkeypatch.setattr(shown, "read_snapshots", lambda: snapshots.read_snapshots(tmp_path))
    (warning,) = warnings(open_page("as_it_learned"))
    assert warning.startswith("The models of this page cannot be used")
