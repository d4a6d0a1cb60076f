"""Runs as files: the numbers of every step, and everything that was seen in every frame."""

import io
import zipfile
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from model.zoo.recording import TrainingRecording
from viz.base.exports import arrays_as_npz, rows_as_csv

_SETTINGS = (
    *("task", "encoding", "n_layers", "n_heads", "d_model", "feed_forward", "norm", "warmup_share", "label_smoothing"),
    *("weight_decay", "seed"),
)
_OF_FRAMES = ("held_out", "longer", "held_out_loss", "confidence", "weight_norm")


def numbers(recordings: Sequence[TrainingRecording]) -> pd.DataFrame:
    """Return a row for each step of each run; accuracies on untrained inputs are those of frames."""
    return pd.concat([_rows(number, run) for number, run in enumerate(recordings, start=1)], ignore_index=True)


def numbers_as_parquet(recordings: Sequence[TrainingRecording]) -> bytes:
    """Return :func:`numbers` as a Parquet file."""
    file = io.BytesIO()
    numbers(recordings).to_parquet(file, index=False)
    return file.getvalue()


def frames_as_npz(recordings: Sequence[TrainingRecording]) -> bytes:
    """Return all arrays of all runs under names such as ``model_1_patterns``; patterns are in 255ths."""
    arrays: dict[str, np.ndarray] = {"tokens": np.array(recordings[0].tokens)}
    for number, run in enumerate(recordings, start=1):
        arrays |= {f"model_{number}_{name}": array for name, array in run.arrays().items()}
        arrays[f"model_{number}_command"] = np.array(run.command)
    return arrays_as_npz(arrays)


def models_as_zip(recordings: Sequence[TrainingRecording], weights: Sequence[bytes]) -> bytes:
    """Return the configuration of each run, in TOML, and its weights, in safetensors, where there are any."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, run in enumerate(recordings, start=1):
            archive.writestr(f"model-{number}.toml", f"# {run.command}\n\n{run.watched.to_toml()}")
        for number, content in enumerate(weights, start=1):
            archive.writestr(f"model-{number}-weights.safetensors", content)
    return file.getvalue()


def scores_as_csv(recordings: Sequence[TrainingRecording]) -> str:
    """Return both scores of every head in every frame as a table."""
    headings = ("model", "layers", "step", "held_out", "longer", "layer", "head", "previous_token", "induction")
    rows = [
        [
            *(number, run.watched.n_layers, int(step)),
            *(f"{run.held_out[frame]:.4f}", f"{run.longer[frame]:.4f}", layer + 1, head + 1),
            *(f"{run.previous[frame, layer, head]:.4f}", f"{run.induction[frame, layer, head]:.4f}"),
        ]
        for number, run in enumerate(recordings, start=1)
        for frame, step in enumerate(run.steps)
        for layer, head in np.ndindex(run.induction.shape[1:])
    ]
    return rows_as_csv(headings, rows)


def _rows(number: int, run: TrainingRecording) -> pd.DataFrame:
    steps = np.arange(len(run.loss) + 1)
    at_frames: Mapping[str, np.ndarray] = {name: getattr(run, name) for name in _OF_FRAMES}
    before = [np.nan]
    return pd.DataFrame(
        {
            "model": number,
            **{name: getattr(run.watched, name) for name in _SETTINGS},
            "step": steps,
            "rate_factor": [run.watched.rate_factor(int(step)) for step in steps],
            "loss": np.concatenate((before, run.loss)).astype(np.float32),
            "accuracy": np.concatenate((before, run.accuracy)).astype(np.float32),
            "gradient_norm": np.concatenate((before, run.gradient_norm)).astype(np.float32),
            **{name: pd.Series(values, run.steps).reindex(steps).to_numpy() for name, values in at_frames.items()},
        }
    )
