"""Seeds trained as one batch of models come to what each comes to alone."""

from pathlib import Path

import pytest
import torch

from model.training.sweep import sweep
from model.training.zoo.__main__ import main
from model.training.zoo.plan import zoo_plan
from model.training.zoo.results import WEIGHTS
from model.training.zoo.stacked import StackedEngine, train_stacked
from model.training.zoo.train import TrainingResult, train
from model.zoo.plan import ENCODINGS, Recipe, Run, make_run

SIZES = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 32, "n_layers": 1}
# 70 examples in batches of 32: the last of an epoch has 6 rows.
RECIPE = Recipe(n_steps=5, n_training=70, n_test=2, evaluate_every=3, gradient_clip=0.5)
CPU = torch.device("cpu")

pytestmark = pytest.mark.unchecked
DRAWN = [name for name, config in ENCODINGS.items() if config.name in ("randomized", "shifted")]
"""Encodings that draw positions, which a stack does for each of its models."""


def runs(task: str, encoding: str) -> list[Run]:
    return [make_run(task, encoding, seed, RECIPE, **SIZES) for seed in (1, 2)]


def assert_same(found: TrainingResult, expected: TrainingResult) -> None:
    assert found.best_weights.keys() == expected.best_weights.keys()
    for name, weight in expected.best_weights.items():
        difference = (found.best_weights[name] - weight).abs()
        # Adam blows the rounding of a gradient near zero up to a whole step, for a few weights.
        assert difference.mean() < 5e-5
        assert difference.max() < RECIPE.peak_rate
    assert [snapshot.step for snapshot in found.snapshots] == [3, 5]
    for ours, theirs in zip(found.snapshots, expected.snapshots, strict=True):
        assert ours.validation == pytest.approx(theirs.validation, abs=1e-3)


@pytest.mark.parametrize("encoding", [name for name in ENCODINGS if name not in DRAWN])
def test_a_stack_trains_each_as_it_trains_alone(encoding: str) -> None:
    steps: list[int] = []
    stack = runs("reverse", encoding)
    for run, found in zip(stack, train_stacked(stack, CPU, steps.append), strict=True):
        assert_same(found, train(run, lambda _: None))
    assert sum(steps) == 2 * RECIPE.n_steps


def test_positions_that_a_task_gives_reach_each_of_the_stack() -> None:
    stack = runs("reverse_coupled", "t5_near")
    for run, found in zip(stack, train_stacked(stack, CPU, lambda _: None), strict=True):
        assert_same(found, train(run, lambda _: None))


def test_models_that_draw_positions_draw_their_own() -> None:
    one = runs("reverse", "randomized")[0]
    first, second = train_stacked([one, one], CPU, lambda _: None)
    assert any(not torch.equal(first.best_weights[name], weight) for name, weight in second.best_weights.items())


def test_the_engine_saves_every_run_and_tells_what_failed(tmp_path: Path) -> None:
    impossible = make_run("reverse", "sinusoidal", 1, RECIPE, **(SIZES | {"d_model": 15}))
    (failure,) = sweep(zoo_plan([*runs("parity", "none"), impossible]), tmp_path, StackedEngine(CPU))
    assert failure.startswith(f"{impossible.name}: EncodingError: odd dimension")
    for run in runs("parity", "none"):
        assert (tmp_path / run.name / WEIGHTS).is_file()


def test_the_command_line_trains_a_stack_and_knows_its_device(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["--engine", "stacked", "--device", "cpu", "--folder", str(tmp_path), "--tasks", "parity"]
    command += ["--encodings", "none", "--steps", "2", "--training", "70", "--test", "2"]
    assert main(command) == 0
    assert len(list(tmp_path.glob("parity-none-seed*"))) == 3
    assert main([*command, "--device", "abacus"]) == 2
    assert "'abacus' is not available" in capsys.readouterr().err
