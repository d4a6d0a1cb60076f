"""A tiny sweep from the command line to the results file; killed, it loses no finished run."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

import pandas as pd
import pytest

from model.checkpoint import DamagedWeightsError
from model.tasks import registered
from model.training.zoo.__main__ import main, sweep
from model.training.zoo.engines import Outcome, RayEngine, finish
from model.training.zoo.store import RESULTS, collect, is_finished, load_run
from model.training.zoo.train import rate_at, train
from model.zoo.data import held_out_rows
from model.zoo.evaluate import measure
from model.zoo.plan import ENCODINGS, Recipe, Run, make_run, planned

SIZES = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 32, "n_layers": 1}
RECIPE = Recipe(n_steps=12, n_training=100, n_test=10, evaluate_every=5)

pytestmark = pytest.mark.usefixtures("unchecked")


class InThisProcess:
    """An engine that trains here and now; it gives up after ``n_finished`` runs, as if killed."""

    def __init__(self, n_finished: int = 100) -> None:
        self.n_finished = n_finished
        self.trained: list[str] = []

    def run(self, runs, folder, on_steps):
        for run in runs:
            if len(self.trained) == self.n_finished:
                (folder / f"{run.name}.unfinished").mkdir()
                raise KeyboardInterrupt
            self.trained.append(run.name)
            try:
                finish(run, folder, on_steps)
            except ValueError as error:
                yield Outcome(run, str(error))
            else:
                yield Outcome(run)


def tiny(task: str = "parity", encoding: str = "none", seed: int = 1) -> Run:
    return make_run(task, encoding, seed, RECIPE, **SIZES)


def test_a_finished_run_is_one_row_for_each_snapshot_and_length(tmp_path: Path) -> None:
    assert sweep([tiny()], tmp_path, InThisProcess()) == []
    rows = pd.read_parquet(tmp_path / RESULTS)
    assert set(rows.checkpoint) == {"during", "best", "last"}
    assert sorted(set(rows.step)) == [5, 10, 12]
    assert set(rows[rows.checkpoint == "last"].step) == {12}
    lengths = [length for length in registered()["parity"].description.test_lengths if length > 2]
    assert rows[rows.checkpoint == "last"].length.tolist()[-len(lengths) :] == lengths
    assert (rows[rows.length > 8].n == 10).all()
    assert rows.exact_match.between(0, 1).all()
    assert rows.token_accuracy.between(0, 1).all()
    assert (rows.first_wrong.isna() == (rows.exact_match == 1)).all()
    assert set(rows.seed) == {1}
    assert set(rows.longest_trained) == {8}
    assert all(rows.commit.str.len() >= 7)
    assert json.loads(rows.configuration[0]) == asdict(tiny())


def test_measuring_a_saved_model_again_gives_its_row(tmp_path: Path) -> None:
    run = tiny("reverse", "alibi")
    sweep([run], tmp_path, InThisProcess())
    rows = pd.read_parquet(tmp_path / RESULTS)
    for checkpoint in ("best", "last"):
        found, model = load_run(tmp_path / run.name, checkpoint)
        assert found == run
        for row in rows[rows.checkpoint == checkpoint].itertuples():
            again = measure(model, held_out_rows(registered()["reverse"], row.length, 10), row.length)
            # Weights are kept in half precision, which may change a close decision.
            assert again.exact_match == pytest.approx(row.exact_match, abs=0.1)
            assert again.token_accuracy == pytest.approx(row.token_accuracy, abs=0.05)


def test_a_stopped_sweep_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    runs = [tiny(seed=seed) for seed in (1, 2, 3)]
    with pytest.raises(KeyboardInterrupt):
        sweep(runs, tmp_path, InThisProcess(n_finished=2))
    assert set(pd.read_parquet(tmp_path / RESULTS).seed) == {1, 2}
    second = InThisProcess()
    assert sweep(runs, tmp_path, second) == []
    assert second.trained == [runs[2].name]
    assert set(pd.read_parquet(tmp_path / RESULTS).seed) == {1, 2, 3}


def test_a_lost_results_file_is_made_again(tmp_path: Path) -> None:
    sweep([tiny()], tmp_path, InThisProcess())
    before = pd.read_parquet(tmp_path / RESULTS)
    (tmp_path / RESULTS).unlink()
    pd.testing.assert_frame_equal(collect(tmp_path), before)


def test_another_recipe_is_another_run(tmp_path: Path) -> None:
    sweep([tiny()], tmp_path, InThisProcess())
    longer = replace(tiny(), recipe=replace(RECIPE, n_steps=13))
    assert is_finished(tiny(), tmp_path)
    assert not is_finished(longer, tmp_path)


def test_a_failed_run_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    impossible = replace(tiny(), encoding="learned", model=make_run("parity", "learned", 1, **SIZES).model)
    impossible = replace(impossible, model=replace(impossible.model, positional=short_table()))
    failures = sweep([impossible, tiny()], tmp_path, InThisProcess())
    assert failures == [f"{impossible.name}: {failures[0].split(': ', 1)[1]}"]
    assert "past the learned table: position = " in failures[0]
    assert "rows = 4" in failures[0]
    assert is_finished(tiny(), tmp_path)


def short_table():
    return replace(ENCODINGS["learned"], parameters={"max_length": 4})


def test_a_damaged_weights_file_is_refused(tmp_path: Path) -> None:
    run = tiny()
    sweep([run], tmp_path, InThisProcess())
    path = tmp_path / run.name / "best.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(DamagedWeightsError, match=r"best\.safetensors has SHA-256"):
        load_run(tmp_path / run.name)


def test_a_run_is_the_same_each_time_and_another_for_another_seed() -> None:
    first, again, other = (train(tiny("reverse", seed=seed), lambda _: None) for seed in (1, 1, 2))
    assert first.snapshots == again.snapshots or str(first.snapshots) == str(again.snapshots)  # NaN is not NaN
    assert str(first.snapshots) != str(other.snapshots)


def test_the_best_is_chosen_by_trained_lengths_alone() -> None:
    trained = train(tiny("reverse"), lambda _: None)
    assert trained.best.validation == max(snapshot.validation for snapshot in trained.snapshots)


def test_the_rate_rises_then_falls_to_zero() -> None:
    recipe = Recipe(n_steps=100, warmup_share=0.06, peak_rate=2.0)
    rates = [rate_at(step, recipe) for step in range(1, 101)]
    assert max(rates) == rates[5] == pytest.approx(2.0)
    assert rates[:6] == sorted(rates[:6])
    assert rates[5:] == sorted(rates[5:], reverse=True)
    assert 0 < rates[-1] < 0.05


def test_the_plan_covers_what_the_comparison_needs() -> None:
    runs = planned()
    assert len({run.name for run in runs}) == len(runs)
    for seed in (1, 2, 3):
        complete = [
            task
            for task in registered()
            if len({run.encoding for run in runs if run.task == task and run.seed == seed}) >= 10
        ]
        assert len(complete) >= 8
    assert {run.task for run in runs} == set(registered())
    assert Run.from_json(runs[0].to_json()) == runs[0]


def test_changes_of_the_recipe_reach_every_run() -> None:
    assert {run.recipe.n_steps for run in planned(n_steps=7)} == {7}
    assert len({run.recipe.n_steps for run in planned()}) > 1


def test_the_plan_can_be_narrowed_and_widened_by_name() -> None:
    names = [run.name for run in planned(["parity_scratchpad"], ["cope", "fire"], [2])]
    assert sorted(names) == ["parity_scratchpad-cope-seed2", "parity_scratchpad-fire-seed2"]
    assert [run.name for run in planned(["reverse_coupled"], ["t5"], [7])] == ["reverse_coupled-t5-seed7"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tasks", "juggling"], "'juggling' is no task; there are"),
        (["--tasks", "parity", "--encodings", "morse"], "'morse' is no encoding of the zoo; there are"),
        (["--workers", "0"], "0 workers were asked for; there must be at least 1"),
        (["--steps", "0"], "n_steps is 0; it must be at least 1"),
    ],
)
def test_a_mistake_on_the_command_line_gets_one_sentence(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*arguments, "--folder", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(message)
    assert error.count("\n") == 1


def test_a_missing_ray_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(
        ValueError, match=r"^Ray is not installed; install requirements-ray\.txt, or use --engine processes$"
    ):
        RayEngine()


def test_help_explains_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    assert "the same command goes on" in shown
    assert "results.parquet" in shown


def test_processes_train_and_a_killed_sweep_keeps_what_is_finished(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "model.training.zoo", "--folder", str(tmp_path), "--workers", "1"]
    command += ["--tasks", "parity", "--encodings", "none", "--steps", "15", "--training", "70", "--test", "2"]
    root = Path(__file__).parents[4]
    sweeping = subprocess.Popen(command, cwd=root, stderr=subprocess.DEVNULL, start_new_session=True)
    first = tmp_path / "parity-none-seed1" / "rows.parquet"
    deadline = time.monotonic() + 120
    while not first.is_file() and time.monotonic() < deadline:
        time.sleep(0.1)
    os.killpg(sweeping.pid, signal.SIGKILL)
    sweeping.wait()
    assert first.is_file()
    kept = first.stat().st_mtime_ns
    again = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=240)
    assert again.returncode == 0, again.stderr
    assert first.stat().st_mtime_ns == kept
    assert set(pd.read_parquet(tmp_path / RESULTS).seed) == {1, 2, 3}
    assert not list(tmp_path.glob("*.unfinished"))
