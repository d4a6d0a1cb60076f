"""The files of a finished run of the zoo: half-precision weights, checksums, result rows."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pandas as pd
import torch

from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import load_weights, save_weights
from model.tasks import find
from model.training.history import commit
from model.training.runs import RUN
from model.training.zoo.train import Snapshot, TrainingResult
from model.zoo.plan import Run

SHA256 = "sha256.json"
CHECKPOINTS = ("best", "last")


def save_trained(run: Run, trained: TrainingResult, folder: Path) -> pd.DataFrame:
    """Write the weights of ``trained`` to ``folder``; return the rows of its results."""
    weights = dict(zip(CHECKPOINTS, (trained.best_weights, trained.last_weights), strict=True))
    sums = {name: save_weights(tensors, weights_path(folder, name)) for name, tensors in weights.items()}
    (folder / SHA256).write_text(json.dumps(sums, indent=2) + "\n", encoding="utf-8")
    return result_rows(run, trained)


def weights_path(run_folder: Path, checkpoint: str) -> Path:
    """Return the path of a run's weights at ``checkpoint``, best or last."""
    return run_folder / f"{checkpoint}.safetensors"


def load_run(run_folder: Path, checkpoint: str = "best") -> tuple[Run, DecoderOnly]:
    """Return a finished run and its model at ``checkpoint``, best or last, in evaluation mode.

    Raises:
        DamagedWeightsError: the weights are missing or not the recorded ones.
    """
    run = Run.from_json((run_folder / RUN).read_text(encoding="utf-8"))
    sums = json.loads((run_folder / SHA256).read_text(encoding="utf-8"))
    model = DecoderOnly(run.model)
    load_weights(model, weights_path(run_folder, checkpoint), sha256=sums[checkpoint])
    return run, model.eval()


def result_rows(run: Run, trained: TrainingResult) -> pd.DataFrame:
    """Return a row for each snapshot and length, and the best and last ones again by these names."""
    named = [("during", snapshot) for snapshot in trained.snapshots]
    named += [("best", trained.best), ("last", trained.snapshots[-1])]
    shared = {
        "task": run.task,
        "encoding": run.encoding,
        "seed": run.seed,
        "longest_trained": find(run.task).description.train_lengths[1],
        "n_parameters": sum(weight.numel() for weight in trained.last_weights.values()),
        "seconds": trained.seconds,
        "commit": commit(),
        "torch": torch.__version__,
        "configuration": json.dumps(dataclasses.asdict(run)),
    }
    return pd.DataFrame([row | shared for name, snapshot in named for row in _snapshot_rows(name, snapshot)])


def _snapshot_rows(name: str, snapshot: Snapshot) -> list[dict[str, Any]]:
    validation = {"validation_exact_match": snapshot.validation[0], "validation_loss": -snapshot.validation[1]}
    return [
        {"checkpoint": name, "step": snapshot.step, **dataclasses.asdict(measured), **validation}
        for measured in snapshot.measurements
    ]
