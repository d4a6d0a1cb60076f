"""A run that was stopped goes on to the same numbers as one that was not."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from model.checkpoint import average_weights, load_state
from model.training.loop import CPU_SECONDS, Trainer
from model.training.loss import TokenLoss
from model.training.processes import ALONE, Processes, SingleProcess
from model.training.translation import trainer as translation
from model.training.translation.config import TranslationTraining

pytestmark = pytest.mark.unchecked


@pytest.fixture
def start(tiny_corpus, tmp_path: Path, make_training: Callable[..., TranslationTraining]) -> Callable[..., Trainer]:
    """Return the trainer of a tiny run, as a fresh process would make it; keywords change its configuration."""

    def make(folder: str, *, processes: Processes = ALONE, **changes: Any) -> Trainer:
        training = make_training(**changes)
        places = {"folder": tmp_path / folder, "device": torch.device("cpu"), "data_dir": tiny_corpus.data_dir}
        return translation.translation_trainer(training, **places, processes=processes)

    return make


def log(folder: Path) -> list[dict[str, float]]:
    """The log without the entries that no two runs share."""
    entries = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    timed = {"tokens_per_second", CPU_SECONDS}
    return [{name: value for name, value in entry.items() if name not in timed} for entry in entries]


def assert_same_run(found: Trainer, expected: Trainer, folder: Path) -> None:
    assert vars(found.progress) == vars(expected.progress)
    for name, weight in expected.model.state_dict().items():
        assert torch.equal(found.model.state_dict()[name], weight), name
    assert log(folder / "stopped") == log(folder / "whole")
    best, expected_best = (load_state(folder / name / "best.pt") for name in ("stopped", "whole"))
    assert best.keys() == expected_best.keys()
    assert all(torch.equal(best["weights"][name], weight) for name, weight in expected_best["weights"].items())
    assert {name: best[name] for name in best if name != "weights"} == {
        name: expected_best[name] for name in expected_best if name != "weights"
    }


class Counted(SingleProcess):
    """A process that keeps whether it asked to stop at each step, and gets a signal while it waits at ``stop_at``."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.stop_at, self.asked = stop_at, list[bool]()
        self.trainer: Trainer | None = None

    def total(self, *values: float) -> tuple[float, ...]:
        self.asked.append(bool(values[-1]))
        if len(self.asked) == self.stop_at:
            self.trainer.stop()
        return values


@pytest.mark.parametrize("in_total", [True, False])
def test_a_stop_at_any_moment_is_agreed_on_before_it_is_obeyed(start, *, in_total: bool) -> None:
    processes = Counted(stop_at=2 if in_total else None)
    trainer = processes.trainer = start("stopped", processes=processes)
    steps: list[int] = []

    def stop_after_two(n_steps: int) -> None:
        steps.append(n_steps)
        if len(steps) == 2 and not in_total:
            trainer.stop()

    trainer.run(stop_after_two)
    assert processes.asked == [False, False, True]
    assert trainer.progress.step == 3
    assert not trainer.is_finished


@pytest.fixture
def stop_within(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Ask a trainer to stop in the middle of a step, or in the middle of its first validation."""
    original = translation.sequence_loss

    def arm(trainer: Trainer, *, step: int | None) -> None:
        calls = []

        def stopping(model: torch.nn.Module, *arguments: Any, **options: Any) -> TokenLoss:
            calls.append(model.training)
            if calls.count(True) == step if model.training else step is None:
                trainer.stop()
            return original(model, *arguments, **options)

        monkeypatch.setattr(translation, "sequence_loss", stopping)

    return arm


def speeds(trainer: Trainer, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    """Train where every step takes a second, and return the logged tokens per second."""
    monkeypatch.setattr("model.training.loop.time.perf_counter", lambda: float(trainer.progress.step))
    trainer.run()
    entries = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return {entry["step"]: entry["tokens_per_second"] for entry in entries if "tokens_per_second" in entry}


def test_tokens_and_seconds_of_a_speed_are_those_of_the_same_steps(
    start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_step = speeds(start("each", log_every=1), tmp_path / "each", monkeypatch)
    logged = speeds(start("whole"), tmp_path / "whole", monkeypatch)
    # It validates after step 4, which is left out.
    assert logged == {3: sum(of_step[step] for step in (1, 2, 3)) / 3, 6: (of_step[5] + of_step[6]) / 2}


def test_random_numbers_on_a_mac_go_on_where_they_stopped(start, monkeypatch: pytest.MonkeyPatch) -> None:
    held = torch.tensor([1, 2], dtype=torch.uint8)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: True)
    monkeypatch.setattr("torch.mps.get_rng_state", lambda: held)
    restored: list[Tensor] = []
    monkeypatch.setattr("torch.mps.set_rng_state", restored.append)
    start("stopped").save()
    start("stopped").resume()
    assert torch.equal(restored[0], held)


def test_a_run_goes_on_beside_another_accelerator_than_it_began_with(start, monkeypatch: pytest.MonkeyPatch) -> None:
    start("stopped").save()
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: True)
    monkeypatch.setattr("torch.mps.get_rng_state", lambda: torch.zeros(44, dtype=torch.uint8))
    monkeypatch.setattr("torch.mps.set_rng_state", pytest.fail)
    start("stopped").resume()
    start("stopped").save()
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    monkeypatch.setattr("torch.cuda.get_rng_state_all", lambda: [torch.zeros(16, dtype=torch.uint8)])
    monkeypatch.setattr("torch.cuda.set_rng_state_all", pytest.fail)
    start("stopped").resume()


def test_what_a_killed_process_was_writing_is_gone_when_its_run_goes_on(start, tmp_path: Path) -> None:
    start("stopped").save()
    half = tmp_path / "stopped" / "checkpoint.pt.123.unfinished"
    half.write_bytes(b"half")
    start("stopped").resume()
    assert not half.exists()


def test_a_run_logs_its_loss_and_its_validations(start, tmp_path: Path) -> None:
    trainer = start("whole")
    trainer.run()
    entries = log(tmp_path / "whole")
    assert [entry["step"] for entry in entries if "loss" in entry] == [3, 6]
    validated = [(entry["step"], entry["averaged"]) for entry in entries if "score" in entry]
    assert validated == [(4, 1), (8, 1), (8, 2)]
    assert {entry["epoch"] for entry in entries if "loss" in entry} >= {0, 1}
    assert trainer.progress.step == 8
    assert load_state(tmp_path / "whole" / "best.pt")["score"] == max(entry.get("score", 0) for entry in entries)


def test_only_weights_of_the_steps_to_choose_from_are_kept_as_the_best(start, tmp_path: Path) -> None:
    start("whole").run()
    of_four = load_state(tmp_path / "whole" / "best.pt")
    assert of_four["step"] == 4, "choose another seed: this test needs the first weights to be the best"
    start("stopped", n_steps=4).run()
    start("stopped", select_from_step=5).run()
    assert load_state(tmp_path / "stopped" / "best.pt")["step"] == 8


def test_training_learns(start, tmp_path: Path) -> None:
    start("whole", n_steps=60, warmup=20, validate_every=60).run()
    losses = [entry["loss"] for entry in log(tmp_path / "whole") if "loss" in entry]
    assert losses[-1] < losses[0] - 1


def test_encodings_are_told_before_each_step_how_much_is_trained(start, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = start("whole", validate_every=8)
    told: list[float] = []
    monkeypatch.setattr(trainer.model.decoder.positional, "note_progress", told.append)
    trainer.run()
    assert told == [step / 8 for step in range(8)]


def test_the_average_is_judged_beside_the_newest_weights_and_not_trained_on(start, tmp_path: Path) -> None:
    one = start("one")
    one.run()
    two = start("two", average_checkpoints=1)
    two.run()
    for name, weight in one.model.state_dict().items():
        assert torch.equal(two.model.state_dict()[name], weight)
    recent = load_state(tmp_path / "one" / "checkpoint.pt")["recent"]
    assert len(recent) == 2
    assert all(torch.equal(recent[-1][name], weight) for name, weight in one.model.state_dict().items())
    assert not torch.equal(average_weights(recent)["embedding.weight"], recent[-1]["embedding.weight"])


def test_a_run_resumed_from_a_checkpoint_equals_one_that_never_stopped(start, tmp_path: Path) -> None:
    whole = start("whole")
    whole.run()
    start("stopped", n_steps=4).run()
    resumed = start("stopped")
    assert resumed.progress.step == 4
    resumed.run()
    assert_same_run(resumed, whole, tmp_path)


@pytest.mark.parametrize("step", [1, 4, 5, 6, None])
def test_a_run_stopped_in_the_middle_equals_one_that_never_stopped(start, stop_within, tmp_path: Path, step) -> None:
    whole = start("whole")
    whole.run()
    stopped = start("stopped")
    stop_within(stopped, step=step)
    stopped.run()
    assert not stopped.is_finished
    resumed = start("stopped")
    assert resumed.progress.step == (step or 5)  # what comes during the validation after 4 is agreed on with the next
    resumed.run()
    assert resumed.is_finished
    assert_same_run(resumed, whole, tmp_path)


def test_the_steps_above_cross_an_epoch(start, tmp_path: Path) -> None:
    trainer = start("whole", log_every=1)
    trainer.run()
    epochs = [entry["epoch"] for entry in log(tmp_path / "whole") if "loss" in entry]
    assert epochs == sorted(epochs)
    # A stop at the last batch of an epoch and one at the first of the next are among those tested.
    assert epochs.index(1) in {4, 5}


@pytest.mark.slow
@pytest.mark.parametrize(("step", "checkpoint"), [(4, 0), (7, 4)], ids=["before any checkpoint", "between two"])
def test_a_killed_run_goes_on_from_its_last_checkpoint(
    start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int, checkpoint: int
) -> None:
    whole = start("whole")
    whole.run()
    original = translation.sequence_loss
    n_calls = []

    def dying(model: torch.nn.Module, *arguments: Any, **options: Any) -> TokenLoss:
        n_calls.append(model.training)
        if n_calls.count(True) == step:
            raise MemoryError
        return original(model, *arguments, **options)

    monkeypatch.setattr(translation, "sequence_loss", dying)
    stopped = start("stopped")
    with pytest.raises(MemoryError):
        stopped.run()
    monkeypatch.setattr(translation, "sequence_loss", original)
    resumed = start("stopped")
    assert resumed.progress.step == checkpoint
    resumed.run()
    assert_same_run(resumed, whole, tmp_path)


def test_a_finished_run_has_nothing_left_to_do(start, tmp_path: Path) -> None:
    start("whole").run()
    before = log(tmp_path / "whole")
    start("whole").run()
    assert log(tmp_path / "whole") == before
