"""Sweeps of every kind of run: resumed, they lose no finished run, repeat none, and come to the same numbers."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import torch

from model.positional import PositionalConfig
from model.training import history
from model.training.engines import Outcome, RayEngine, train_alone
from model.training.language_model.config import LanguageModelTraining
from model.training.loop import CPU_SECONDS, OnSteps
from model.training.plan import read_plan
from model.training.runs import RESULTS, Plan, RunSpec, SweepStoppedError, Train, collect, is_finished
from model.training.sweep import main, sweep
from model.training.translation.config import TranslationTraining
from model.training.zoo.__main__ import main as zoo_main
from model.training.zoo.crasp import CraspSelection
from model.training.zoo.plan import zoo_plan
from model.training.zoo.stacked import StackedEngine
from model.zoo.plan import Recipe, Run, make_run
from tests.fixtures.translation_run import as_toml, changed

ROOT = Path(__file__).parents[3]
SIZES = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 32, "n_layers": 1}
RECIPE = Recipe(n_steps=12, n_training=100, n_test=10, evaluate_every=5)

pytestmark = pytest.mark.unchecked


class InThisProcess:
    """An engine that trains here and now; it gives up after ``n_finished`` runs, as if killed."""

    def __init__(self, n_finished: int = 100) -> None:
        self.n_finished = n_finished
        self.trained: list[str] = []

    def run(self, runs: Sequence[RunSpec], folder: Path, train: Train, on_steps: OnSteps) -> Iterator[Outcome]:
        for run in runs:
            if len(self.trained) == self.n_finished:
                (folder / f"{run.name}.unfinished").mkdir()
                raise KeyboardInterrupt
            self.trained.append(run.name)
            try:
                train_alone(run, folder, train, on_steps)
            except ValueError as error:
                yield Outcome(run, str(error))
            else:
                yield Outcome(run)


def tiny(seed: int = 1) -> Run:
    return make_run("parity", "none", seed, RECIPE, **SIZES)


def test_a_stopped_sweep_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    plan = zoo_plan([tiny(seed) for seed in (1, 2, 3)])
    with pytest.raises(KeyboardInterrupt):
        sweep(plan, tmp_path, InThisProcess(n_finished=2))
    assert set(pd.read_parquet(tmp_path / RESULTS).seed) == {1, 2}
    second = InThisProcess()
    assert sweep(plan, tmp_path, second) == []
    assert second.trained == [plan.runs[2].name]
    assert set(pd.read_parquet(tmp_path / RESULTS).seed) == {1, 2, 3}


def test_a_lost_results_file_is_made_again(tmp_path: Path) -> None:
    sweep(zoo_plan([tiny()]), tmp_path, InThisProcess())
    before = pd.read_parquet(tmp_path / RESULTS)
    (tmp_path / RESULTS).unlink()
    pd.testing.assert_frame_equal(collect(tmp_path), before)


def test_a_run_by_another_configuration_is_neither_taken_for_this_one_nor_lost(tmp_path: Path) -> None:
    sweep(zoo_plan([tiny()]), tmp_path, InThisProcess())
    longer = replace(tiny(), recipe=replace(RECIPE, n_steps=13))
    assert is_finished(tiny(), tmp_path)
    assert not is_finished(longer, tmp_path)
    with pytest.raises(ValueError, match=r"parity-none-seed1 holds a run by another configuration; sweep into another"):
        sweep(zoo_plan([longer]), tmp_path, InThisProcess())
    assert is_finished(tiny(), tmp_path)


def test_a_failed_run_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    positional = PositionalConfig("learned", {"max_length": 4})
    impossible = replace(tiny(), encoding="learned", model=replace(tiny().model, positional=positional))
    (failure,) = sweep(zoo_plan([impossible, tiny()]), tmp_path, InThisProcess())
    assert failure.startswith(f"{impossible.name}: ")
    assert "past the learned table: position = " in failure
    assert "rows = 4" in failure
    assert is_finished(tiny(), tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tasks", "juggling"], "'juggling' is no task; there are"),
        (["--tasks", "parity", "--encodings", "morse"], "'morse' is no encoding of the zoo; there are"),
        (["--workers", "0"], "0 workers were asked for; there must be at least 1"),
        (["--steps", "0"], "n_steps is 0; it must be at least 1"),
        (["--encodings", "rotry"], "'rotry' is no encoding of the zoo; there are"),
        (["--seeds", "9"], "the plan has no run of such a name, task, encoding and seed"),
        (["--only", "parity-morse-*"], "the plan has no run of such a name, task, encoding and seed"),
    ],
)
def test_a_mistake_on_the_command_line_gets_one_sentence(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert zoo_main([*arguments, "--folder", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(message)
    assert error.count("\n") == 1


def test_a_missing_ray_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(
        ValueError, match=r"^Ray is not installed; install requirements-ray\.txt, or use --engine processes$"
    ):
        RayEngine()


@pytest.mark.parametrize(("command", "name"), [(main, "results file"), (zoo_main, "results.parquet")])
def test_help_explains_the_command(command, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        command(["--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    assert "the same command goes on" in shown
    assert name in shown


@pytest.fixture
def translation_plan(training_values, tiny_corpus, tmp_path: Path) -> Plan:
    """Two seeds of a tiny translator, once as it is and once with another encoding."""
    (tmp_path / "tiny.toml").write_text(as_toml(changed(training_values, TranslationTraining)))
    path = tmp_path / "plan.toml"
    path.write_text(
        'configurations = ["tiny.toml"]\nseeds = [1, 2]\n'
        '[[variants]]\n[[variants]]\nname = "rotary"\nmodel.positional = { name = "rotary" }\n'
    )
    return read_plan(path, data_dir=tiny_corpus.data_dir)


def test_translators_are_swept_and_scored_on_pairs_without_part_in_their_selection(
    translation_plan: Plan, tmp_path: Path
) -> None:
    assert sweep(translation_plan, tmp_path / "sweep", InThisProcess()) == []
    rows = pd.read_parquet(tmp_path / "sweep" / RESULTS)
    assert set(zip(rows.variant, rows.seed, strict=True)) == {
        (variant, seed) for variant in ("tiny", "tiny-rotary") for seed in (1, 2)
    }
    best, during = (rows[rows.checkpoint == name] for name in ("best", "during"))
    assert len(best) == 4
    assert (best.sentences == 2).all()
    assert best.sacrebleu.between(0, 100).all()
    assert best.tokenized_bleu.between(0, 100).all()
    assert best.perplexity.between(1, 2000).all()
    assert (rows[CPU_SECONDS] > 0).all()
    assert set(during.step) == {4, 8}
    assert during.dev_loss.notna().all()
    configurations = [json.loads(text)["training"] for text in best.configuration]
    assert {entry["model"]["positional"]["name"] for entry in configurations} == {"sinusoidal", "rotary"}


def test_a_run_that_a_sweep_stopped_comes_to_the_numbers_of_one_that_never_stopped(
    translation_plan: Plan, tmp_path: Path
) -> None:
    run, taken = translation_plan.runs[0], []

    def stop_at_three(n_steps: int) -> None:
        taken.append(n_steps)
        if sum(taken) == 3:
            raise SweepStoppedError

    with pytest.raises(SweepStoppedError):
        train_alone(run, tmp_path / "stopped", translation_plan.train, stop_at_three)
    assert not is_finished(run, tmp_path / "stopped")
    resumed: list[int] = []
    train_alone(run, tmp_path / "stopped", translation_plan.train, resumed.append)
    assert resumed[0] == 3
    assert sum(resumed) == run.n_steps
    train_alone(run, tmp_path / "whole", translation_plan.train, lambda _: None)
    stopped, whole = (pd.read_parquet(tmp_path / name / run.name / "rows.parquet") for name in ("stopped", "whole"))
    pd.testing.assert_frame_equal(stopped.drop(columns=CPU_SECONDS), whole.drop(columns=CPU_SECONDS))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("seeds = [1]", "the configuration lacks configurations"),
        ('configurations = ["tiny.toml", "tiny.toml"]', "two runs of one name"),
        (
            'configurations = ["tiny.toml"]\n[[variants]]\nschedule.n_stops = 3',
            "has schedule.n_stops; the entries there",
        ),
        (
            'configurations = ["tiny.toml"]\n[[variants]]\nkind = "dance"',
            "kind is 'dance'; a configuration names one of",
        ),
        ("[zoo]\nrecipe.speed = 3", "the configuration has recipe.speed; the entries there are n_steps"),
        ('[zoo]\nrecipe.n_steps = "x"', "recipe.n_steps is 'x'; it must be int"),
        ('[zoo]\nrecipe.peak_rate = "x"', "recipe.peak_rate is 'x'; it must be float"),
        ("[crasp]\nrecipe.n_step = 5", "the configuration has recipe.n_step; the entries there are n_steps"),
        ('configurations = ["lost.toml"]', "lost.toml"),
    ],
)
def test_a_mistake_in_a_plan_gets_one_sentence(
    training_values: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, message: str
) -> None:
    (tmp_path / "tiny.toml").write_text(as_toml(training_values))
    (tmp_path / "plan.toml").write_text(content)
    assert main([str(tmp_path / "plan.toml"), "--folder", str(tmp_path / "sweep")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


@pytest.mark.parametrize("path", sorted((ROOT / "model/training/plans").glob("*.toml")), ids=lambda path: path.stem)
def test_every_shipped_plan_can_be_listed(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(path), "--list", "--folder", str(tmp_path)]) == 0
    names = capsys.readouterr().out.splitlines()
    assert main([str(path), "--list", "--folder", str(tmp_path), "--only", names[0]]) == 0
    assert capsys.readouterr().out.splitlines() == names[:1]


def test_a_run_records_the_commit_that_it_began_with(
    translation_plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = translation_plan.runs[0]

    def change_files(_: int) -> None:
        monkeypatch.setattr(history, "commit", lambda: "later")

    monkeypatch.setattr(history, "commit", lambda: "first-dirty")
    train_alone(run, tmp_path, translation_plan.train, change_files)
    assert set(pd.read_parquet(tmp_path / run.name / "rows.parquet").commit) == {"first-dirty"}


def test_only_runs_of_the_zoo_are_stacked(translation_plan: Plan, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="only runs of the zoo can be stacked"):
        sweep(translation_plan, tmp_path / "sweep", StackedEngine(torch.device("cpu")))
    with pytest.raises(ValueError, match="only runs of the zoo can be stacked"):
        sweep(CraspSelection().plan(), tmp_path / "crasp", StackedEngine(torch.device("cpu")))


def test_a_plan_that_cannot_be_stacked_gets_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.toml").write_text("[crasp]")
    arguments = [str(tmp_path / "plan.toml"), "--folder", str(tmp_path / "sweep"), "--engine", "stacked"]
    assert main([*arguments, "--device", "cpu"]) == 2
    assert capsys.readouterr().err.endswith("only runs of the zoo can be stacked; use --engine processes or ray\n")


def start_and_kill(command: list[str], until: Callable[[], bool]) -> None:
    """Start ``command``, and kill it and its workers when ``until`` holds."""
    sweeping = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 120
    while not until() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(sweeping.pid, signal.SIGKILL)
    sweeping.wait()
    assert until()


def finish_command(command: list[str]) -> None:
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=240)
    assert again.returncode == 0, again.stderr


@pytest.mark.slow
def test_processes_train_and_a_killed_sweep_keeps_what_is_finished(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "model.training.zoo", "--folder", str(tmp_path), "--workers", "1"]
    command += ["--tasks", "parity", "--encodings", "none", "--steps", "15", "--training", "70", "--test", "2"]
    first = tmp_path / "parity-none-seed1" / "rows.parquet"
    start_and_kill(command, first.is_file)
    kept = first.stat().st_mtime_ns
    finish_command(command)
    assert first.stat().st_mtime_ns == kept
    assert set(pd.read_parquet(tmp_path / RESULTS).seed) == {1, 2, 3}
    assert not list(tmp_path.glob("*.unfinished"))


@pytest.mark.slow
def test_language_models_of_a_killed_sweep_continue_from_their_checkpoints(
    run_values: dict[str, Any], tmp_path: Path
) -> None:
    values = changed(run_values, LanguageModelTraining, n_steps=120, validate_every=20)
    (tmp_path / "tiny.toml").write_text(as_toml(values))
    (tmp_path / "plan.toml").write_text('configurations = ["tiny.toml"]\nseeds = [1, 2]\n')
    folder = tmp_path / "sweep"
    command = [sys.executable, "-m", "model.training.sweep", str(tmp_path / "plan.toml"), "--folder", str(folder)]
    drafts = [folder / f"tiny-{seed}.unfinished" / "checkpoint.pt" for seed in (1, 2)]
    start_and_kill([*command, "--workers", "2"], lambda: any(path.is_file() for path in drafts))
    finish_command([*command, "--workers", "2"])
    rows, plan = pd.read_parquet(folder / RESULTS), read_plan(tmp_path / "plan.toml")
    assert rows[rows.checkpoint == "best"].test_bits_per_character.between(0, 8).all()
    for seed in (1, 2):
        assert rows[(rows.seed == seed) & (rows.checkpoint == "during")].step.tolist() == list(range(20, 121, 20))
        run = plan.runs[seed - 1]
        train_alone(run, tmp_path / "whole", plan.train, lambda _: None)
        whole = pd.read_parquet(tmp_path / "whole" / run.name / "rows.parquet")
        ours = rows[rows.seed == seed].reset_index(drop=True)
        timed = ["commit", CPU_SECONDS]
        pd.testing.assert_frame_equal(ours.drop(columns=timed), whole.drop(columns=timed))
