"""The files of a finished run of the zoo: half-precision weights, their checksum, result rows."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
import torch

from model.checkpoint import n_parameters, save_weights
from model.tasks import find
from model.training.history import commit
from model.training.zoo.train import Snapshot, TrainingResult
from model.zoo.plan import Run

WEIGHTS, SHA256 = "best.safetensors", "sha256.json"


def save_trained(run: Run, trained: TrainingResult, folder: Path) -> pd.DataFrame:
    """Write the best weights of ``trained`` to ``folder``; return the rows of its results."""
    sums = {"best": save_weights(trained.best_weights, folder / WEIGHTS)}
    (folder / SHA256).write_text(json.dumps(sums, indent=2) + "\n", encoding="utf-8")
    return result_rows(run, trained)


def result_rows(run: Run, trained: TrainingResult) -> pd.DataFrame:
    """Return a row for each snapshot and length, and those of the best again by that name."""
    named = [*(("during", snapshot) for snapshot in trained.snapshots), ("best", trained.best)]
    shared = {
        "task": run.task,
        "encoding": run.encoding,
        "seed": run.seed,
        "longest_trained": find(run.task).description.train_lengths[1],
        "n_parameters": n_parameters(trained.best_weights.values()),
        "seconds": trained.seconds,
        "commit": commit(),
        "torch": torch.__version__,
        "configuration": json.dumps(asdict(run)),
    }
    return pd.DataFrame([row | shared for name, snapshot in named for row in _snapshot_rows(name, snapshot)])


def _snapshot_rows(name: str, snapshot: Snapshot) -> list[dict[str, Any]]:
    validation = snapshot.validation[0]
    return [
        {"checkpoint": name, "step": snapshot.step, **asdict(measured), "validation_exact_match": validation}
        for measured in snapshot.measurements
    ]
