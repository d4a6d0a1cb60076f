"""Measure what every head of the shipped models of the zoo does, over inputs that had no part in their training."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from model.analysis.maps.head_roles import measured_rows
from model.device import use_one_thread
from model.tasks import Row, find
from model.training.history import commit
from model.zoo.data import held_out_rows
from pretrained.publishing.head_rows import head_rows
from pretrained.zoo import HEADS, ZOO, ZooModel, load_zoo_model, shipped_zoo

N_INPUTS = 1000
_SORTED = ("task", "encoding", "layer", "head")


def write_zoo_heads(
    folder: Path = ZOO, *, n: int = N_INPUTS, command: str, show_progress: bool = False
) -> pd.DataFrame:
    """Measure the heads of every shipped model over up to ``n`` inputs of its task, write the table and return it.

    Raises:
        DamagedWeightsError: weights are missing or not the recorded ones.
    """
    use_one_thread()
    shipped = shipped_zoo(folder)
    inputs = {task: held_out_inputs(task, n) for task in dict.fromkeys(model.run.task for model in shipped)}
    measured = tqdm(shipped, unit="model", disable=not show_progress)
    rows = [row for model in measured for row in _rows_of(model, inputs[model.run.task], folder)]
    table = pd.DataFrame(rows)
    if rows:
        table = table.assign(commit=commit(), command=command).sort_values([*_SORTED], ignore_index=True)
        numbers = table.select_dtypes("float").columns
        table = table.astype(dict.fromkeys(numbers, "float32"))
        draft = folder / f"{HEADS}.unfinished"
        table.to_parquet(draft, index=False, compression="zstd")
        draft.replace(folder / HEADS)
    return table


def held_out_inputs(task: str, n: int) -> Sequence[Row]:
    """Return held-out inputs of the trained lengths, as many of each as there are in equal parts."""
    found = find(task)
    lengths = found.training_lengths()
    return [row for length in lengths for row in held_out_rows(found, length, -(-n // len(lengths)))]


def _rows_of(shipped: ZooModel, inputs: Sequence[Row], folder: Path) -> Iterator[dict[str, Any]]:
    about = {
        "task": shipped.run.task,
        "encoding": shipped.run.encoding,
        "seed": shipped.run.seed,
        "sentences": len(inputs),
        "weights": shipped.sha256,
    }
    model = load_zoo_model(shipped, folder)
    yield from (about | row for row in head_rows(measured_rows(model, inputs)))
