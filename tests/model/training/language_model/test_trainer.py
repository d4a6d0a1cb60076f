"""A run that was stopped remembers what it had read, and goes on to the same numbers as one that was not."""

from collections.abc import Callable
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch

from model.checkpoint import load_state
from model.training.history import remember
from model.training.language_model.config import LanguageModelTraining
from model.training.language_model.run import load_run
from model.training.language_model.streams import StreamLoss
from model.training.language_model.trainer import language_model_trainer
from model.training.loop import Trainer
from tests.model.training.test_loop import assert_same_run, log

pytestmark = pytest.mark.unchecked


@pytest.fixture
def start(tmp_path: Path, make_run: Callable[..., LanguageModelTraining]) -> Callable[..., Trainer[Any]]:
    """Return the trainer of the tiny run, as a fresh process would make it; keywords change its configuration."""

    def make(folder: str, **changes: Any) -> Trainer[Any]:
        device = torch.device("cpu")
        return language_model_trainer(make_run(**changes), folder=tmp_path / folder, device=device)

    return make


def memory(folder: Path) -> list[torch.Tensor]:
    return load_state(folder / "checkpoint.pt")["carried"]["states"]


@pytest.mark.parametrize("step", [1, 3, 4, 5, 6])
def test_a_stopped_run_equals_one_that_never_stopped(start, tmp_path: Path, monkeypatch, step: int) -> None:
    whole = start("whole")
    whole.run()
    stopped = start("stopped")
    original = StreamLoss.__call__
    steps = []

    def stopping(self: StreamLoss, segment: Any) -> Any:
        steps.append(segment)
        if len(steps) == step:
            stopped.stop()
        return original(self, segment)

    monkeypatch.setattr(StreamLoss, "__call__", stopping)
    stopped.run()
    monkeypatch.setattr(StreamLoss, "__call__", original)
    resumed = start("stopped")
    assert resumed.progress.step == step
    resumed.run()
    assert_same_run(resumed, whole, tmp_path)
    for ours, theirs in zip(memory(tmp_path / "stopped"), memory(tmp_path / "whole"), strict=True):
        assert torch.equal(ours, theirs)


def test_the_steps_above_cross_an_epoch_and_stop_where_something_is_remembered(start, tmp_path: Path) -> None:
    trainer = start("whole", log_every=1)
    trainer.run()
    epochs = [entry["epoch"] for entry in log(tmp_path / "whole") if "loss" in entry]
    assert epochs[0] == 0
    assert epochs[-1] >= 1
    assert any(before == after for before, after in pairwise(epochs))
    assert all(states.shape[1] for states in memory(tmp_path / "whole"))


@pytest.mark.parametrize(
    "changes",
    [{}, {"mem_len": 0}, {"counted": "half"}, {"decay": "straight_line"}],
    ids=["memory", "no memory", "half loss", "straight line"],
)
def test_training_learns(start, tmp_path: Path, changes: dict[str, Any]) -> None:
    start("run", n_steps=60, validate_every=30, n_streams=20, **changes).run()
    found = [entry["bits_per_character"] for entry in log(tmp_path / "run") if "score" in entry]
    assert len(found) == 2
    assert found[1] < found[0] < 4.5


def test_a_run_is_loaded_with_its_best_weights_and_what_it_was_trained_by(start, make_run, tmp_path: Path) -> None:
    trainer = start("run")
    trainer.run()
    remember(asdict(make_run()), folder=tmp_path / "run", step=0)
    run = load_run(tmp_path / "run")
    best = load_state(tmp_path / "run" / "best.pt")
    assert run.training == make_run()
    assert run.step == best["step"]
    assert run.commit
    assert not run.model.training
    assert all(torch.equal(run.model.state_dict()[name], weight) for name, weight in best["weights"].items())
    assert run.vocabulary.size == run.model.config.vocabulary_size
    assert run.vocabulary.encode("Natasha").unknown == ()


def test_a_folder_of_another_text_is_refused(start, text_file: Path) -> None:
    start("run", n_steps=2).run()
    text_file.write_text("Что такое? " * 300, encoding="utf-8")
    with pytest.raises(ValueError, match=r"vocabulary\.json is of another text; train into another folder"):
        start("run")
