"""What holds for every page that runs without a browser."""

import pytest

from viz.pages.training.live import Trainer


@pytest.fixture(autouse=True)
def no_trainer_is_kept_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody presses Train in most of these tests, for whom a process would import PyTorch."""
    monkeypatch.setattr(Trainer, "keep_ready", lambda _: None)
