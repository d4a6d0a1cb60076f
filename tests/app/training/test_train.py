"""Train, run by Streamlit without a browser."""

from unittest.mock import patch

import pytest

from tests.app.running import open_in_app, warnings, written
from viz.pages.training.components import player


def test_it_opens_on_the_step_at_which_the_head_forms() -> None:
    app = open_in_app("train")
    assert not app.warning
    assert "training-player" in {one.key for one in app.get("bidi_component")}
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
    assert b'"opens_at":10,' in mount.call_args.kwargs["data"]
