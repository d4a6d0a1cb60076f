"""Measure what a training step of each row of the paper's table 3 takes.

``python -m pretrained.publishing.step_seconds``.

The runs may have been trained on any machine; this takes the first steps of each again, in one thread of this one.
Other programs on the machine make the numbers larger.
"""

import argparse
import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import torch

from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError
from model.device import use_one_thread
from model.training.history import commit
from model.training.plan import ConfiguredRun, read_plan
from model.training.runs import SweepStoppedError
from model.training.translation.config import TranslationTraining
from model.training.translation.trainer import translation_trainer
from pretrained.ablations import CPU_SECONDS, STEP_SECONDS

_WARM, _STEPS = 2, 8


def step_seconds(plan: Path, data_dir: Path | None) -> pd.DataFrame:
    """Return the median seconds of the processor that a step of each variant of ``plan`` takes, by its first seed.

    Raises:
        CorpusMissingError: a corpus is not in ``data_dir``.
        ValueError: the plan is damaged.
    """
    use_one_thread()
    planned = [run for run in read_plan(plan, data_dir=data_dir).runs if isinstance(run, ConfiguredRun)]
    runs = {run.variant: run for run in reversed(planned)}
    with tempfile.TemporaryDirectory() as folder:  # the tokenizer that is learned there is that of all
        seconds = {variant: _median(run, Path(folder), data_dir) for variant, run in sorted(runs.items())}
    shared = {"steps": _STEPS, "commit": commit(), "torch": torch.__version__}
    return pd.DataFrame([{"variant": name, CPU_SECONDS: value, **shared} for name, value in seconds.items()])


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all and write the file; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publishing.step_seconds", description=__doc__)
    parser.add_argument("--plan", type=Path, default=Path("model/training/plans/ablations.toml"))
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    given = parser.parse_args(arguments)
    try:
        rows = step_seconds(given.plan, given.data_dir)
    except (OSError, ValueError, CorpusMissingError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    rows.to_parquet(STEP_SECONDS, index=False)
    sys.stdout.write(rows.to_string(index=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
