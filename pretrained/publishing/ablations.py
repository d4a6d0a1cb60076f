"""Ship what a sweep of the paper's table 3 comes to: its results, the models of telling rows, the time of a step."""

import contextlib
import statistics
import tempfile
import time
from pathlib import Path
from typing import Annotated

import pandas as pd
import torch

from model.checkpoint import save_weights
from model.device import use_one_thread
from model.training.history import commit
from model.training.plan import ConfiguredRun, read_plan
from model.training.runs import SweepStoppedError
from model.training.translation.config import TranslationTraining
from model.training.translation.trainer import translation_trainer
from pretrained.ablated_models import MODELS, ROWS
from pretrained.ablations import CPU_SECONDS, LONGER, RESULTS, STEP_SECONDS, ablation_results
from pretrained.publishing.command import DataDir, command
from pretrained.publishing.shipping import committed_rows, merged_rows, ship_variants, write_table

RUN_KEYS = ["variant", "seed"]
OF_THE_MACHINE = ["torch", CPU_SECONDS]
"""Columns that are left out: they differ by the machine that a run was trained on, and by nothing else."""
_SEED = 1
_WARM, _STEPS = 2, 8

Sweep = Annotated[Path, "folder of the sweep"]


@command("ablations")
def ship_ablations(*, run: Sweep = Path("runs/ablations"), path: Path = RESULTS) -> str:
    """Ship the results of every finished run of a sweep of the paper's table 3.

    It may run at any time, also while the sweep goes on: what shipped of other runs before stays.
    """
    measured = committed_rows(run)
    if measured.empty:
        raise FileNotFoundError(f"{run} has no finished run; python -m model.training.sweep trains them")
    rows = merged_rows(ablation_results(path), measured.drop(columns=OF_THE_MACHINE, errors="ignore"), RUN_KEYS)
    write_table(rows.sort_values([*RUN_KEYS, "checkpoint", "step"], ignore_index=True), path)
    return f"{path}: {len(rows[RUN_KEYS].drop_duplicates())} runs"


@command("longer_ablations")
def ship_longer_ablations(*, run: Sweep = Path("runs/ablations_longer"), path: Path = LONGER) -> str:
    """Ship the results of table 3's rows that were trained four times as long."""
    return ship_ablations(run=run, path=path)


@command("ablated_models")
def ship_ablated_models(*, run: Sweep = Path("runs/ablations"), folder: Path = MODELS) -> str:
    """Ship the models of telling rows of the paper's table 3, of each the run of the first seed.

    Their scores are those in the results that ship.
    """
    runs = {row: run / (f"ablation-{_SEED}" if row == "base" else f"ablation-{row}-{_SEED}") for row in ROWS}
    ship_variants(folder, runs, seed=_SEED, save=save_weights)
    return f"{folder}: {len(ROWS)} models"


@command("step_seconds")
def write_step_seconds(
    *,
    plan: Annotated[Path, "of the sweep"] = Path("model/training/plans/ablations.toml"),
    data_dir: DataDir = None,
) -> str:
    """Measure what a training step of each row of the paper's table 3 takes, in one thread.

    The runs may have been trained on any machine; this takes the first steps of each again here. Other programs on the
    machine make the numbers larger.
    """
    use_one_thread()
    planned = [run for run in read_plan(plan, data_dir=data_dir).runs if isinstance(run, ConfiguredRun)]
    runs = {run.variant: run for run in reversed(planned)}
    with tempfile.TemporaryDirectory() as folder:  # the tokenizer that is learned there is that of all
        seconds = {variant: _median(run, Path(folder), data_dir) for variant, run in sorted(runs.items())}
    shared = {"steps": _STEPS, "commit": commit(), "torch": torch.__version__}
    rows = pd.DataFrame([{"variant": name, CPU_SECONDS: value, **shared} for name, value in seconds.items()])
    write_table(rows, STEP_SECONDS)
    return rows.to_string(index=False)


def _median(run: ConfiguredRun, folder: Path, data_dir: Path | None) -> float:
    assert isinstance(run.training, TranslationTraining)
    trainer = translation_trainer(run.training, folder=folder, device=torch.device("cpu"), data_dir=data_dir)
    moments = [time.process_time()]

    def count(_: int) -> None:
        moments.append(time.process_time())
        if len(moments) > _WARM + _STEPS:
            raise SweepStoppedError

    with contextlib.suppress(SweepStoppedError):
        trainer.run(count)
    taken = [after - before for before, after in zip(moments[_WARM:], moments[_WARM + 1 :], strict=False)]
    return statistics.median(taken)
