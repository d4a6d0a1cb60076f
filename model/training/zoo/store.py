"""The zoo on disk: a folder for each finished run, and one results file of them all.

A run's folder holds ``run.json`` (its configuration), ``rows.parquet`` (what was measured), ``best.safetensors`` and
``last.safetensors`` (the weights in half precision) and ``sha256.json`` (of both). It is written beside its place and
moved there when it is whole, so that a folder that is there is a finished run, whatever was killed when.
"""

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import torch

from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import load_weights, save_weights
from model.tasks import find
from model.training.history import commit
from model.training.zoo.train import Snapshot, Trained
from model.zoo.plan import Run

RESULTS = "results.parquet"
RUN, ROWS, SHA256 = "run.json", "rows.parquet", "sha256.json"
CHECKPOINTS = ("best", "last")
_UNFINISHED = ".unfinished"


def is_finished(run: Run, folder: Path) -> bool:
    """Whether ``run`` stands in ``folder``, finished and by this very configuration."""
    path = folder / run.name / RUN
    return path.is_file() and Run.from_json(path.read_text(encoding="utf-8")) == run


def save_run(run: Run, trained: Trained, folder: Path) -> Path:
    """Write what ``run`` left to its folder in ``folder``, all or nothing; return that folder."""
    draft = folder / f"{run.name}{_UNFINISHED}"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    (draft / RUN).write_text(run.to_json(), encoding="utf-8")
    weights = dict(zip(CHECKPOINTS, (trained.best_weights, trained.last_weights), strict=True))
    sums = {name: save_weights(tensors, weights_path(draft, name)) for name, tensors in weights.items()}
    (draft / SHA256).write_text(json.dumps(sums, indent=2) + "\n", encoding="utf-8")
    result_rows(run, trained).to_parquet(draft / ROWS, index=False)
    final = folder / run.name
    shutil.rmtree(final, ignore_errors=True)
    return draft.rename(final)


def weights_path(run_folder: Path, checkpoint: str) -> Path:
    """Return where the weights of a run at ``checkpoint``, best or last, stand."""
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


def result_rows(run: Run, trained: Trained) -> pd.DataFrame:
    """Return a row for each snapshot and length, and those of the best and the last one once more under these names."""
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


def collect(folder: Path) -> pd.DataFrame:
    """Put the rows of every finished run in ``folder`` into its results file, all at once, and return them."""
    files = sorted(path for path in folder.glob(f"*/{ROWS}") if path.parent.suffix != _UNFINISHED)
    rows = pd.concat([pd.read_parquet(path) for path in files], ignore_index=True) if files else pd.DataFrame()
    unfinished = folder / f"{RESULTS}{_UNFINISHED}"
    rows.to_parquet(unfinished, index=False)
    unfinished.replace(folder / RESULTS)
    return rows


def _snapshot_rows(name: str, snapshot: Snapshot) -> list[dict[str, Any]]:
    validation = {"validation_exact_match": snapshot.validation[0], "validation_loss": -snapshot.validation[1]}
    return [
        {"checkpoint": name, "step": snapshot.step, **dataclasses.asdict(measured), **validation}
        for measured in snapshot.measurements
    ]
