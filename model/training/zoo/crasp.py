"""The training of the runs that test C-RASP's predictions, each measured by bins of lengths."""

import dataclasses
import json
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import torch

from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import n_parameters
from model.files import replace_file
from model.tasks import Row, find
from model.training.history import commit
from model.training.loop import OnSteps
from model.training.runs import Plan
from model.training.zoo.plan import recipe_changes
from model.training.zoo.train import fresh_model, take_steps
from model.zoo.crasp import BINS, N_TEST, crasp_runs
from model.zoo.data import fresh_batches, rows_between
from model.zoo.evaluate import measure, measure_known_length
from model.zoo.plan import Run

MEASURED = "measured.parquet"
"""What was measured so far, in the folder of a run that trains."""


@dataclass(frozen=True)
class CraspSelection:
    """Runs by task, encoding and seed, all where none is named, and changes of the recipe."""

    tasks: tuple[str, ...] = ()
    encodings: tuple[str, ...] = ()
    seeds: tuple[int, ...] = (1,)
    recipe: dict[str, Any] = field(default_factory=dict)

    def plan(self) -> Plan:
        """Return the plan; raises ValueError for an unknown name, or a change that no recipe allows."""
        changes = recipe_changes(self.recipe)
        return Plan(tuple(crasp_runs(self.tasks, self.encodings, self.seeds, **changes)), train_and_save)


def train_and_save(run: Run, folder: Path, on_steps: OnSteps) -> pd.DataFrame:
    """Train ``run`` until it answers every measured input of the trained lengths; return its result rows.

    Inputs are drawn as they are needed, as in Huang et al. 2025. The weights of the last step are saved in ``folder``.
    """
    task, model, start = find(run.task), fresh_model(run), time.perf_counter()
    next_batch = partial(next, fresh_batches(task, run.recipe.batch_size, run.seed))
    in_bins = {limits: rows_between(task, *limits, N_TEST) for limits in BINS}
    rows: list[dict[str, Any]] = []
    for step in take_steps(next_batch, model, run.recipe):
        on_steps(1)
        if step.number % run.recipe.evaluate_every == 0 or step.number == run.n_steps:
            measured = [_measured(model, limits, of_bin) for limits, of_bin in in_bins.items()]
            seconds = time.perf_counter() - start
            rows += [{"step": step.number, "seconds": seconds, **row} for row in measured]
            # For whoever looks in: a run takes an hour.
            replace_file(folder / MEASURED, partial(pd.DataFrame(rows).to_parquet, index=False))
            if measured[0]["exact_match"] == 1:
                break
    shared = {
        "task": run.task,
        "encoding": run.encoding,
        "seed": run.seed,
        "n_parameters": n_parameters(model.parameters()),
        "commit": commit(),
        "torch": torch.__version__,
        "configuration": json.dumps(dataclasses.asdict(run)),
    }
    return pd.DataFrame([row | shared | {"is_last": row["step"] == rows[-1]["step"]} for row in rows])


def _measured(model: DecoderOnly, limits: tuple[int, int], rows: list[Row]) -> dict[str, Any]:
    model.eval()
    values = {
        "first": limits[0],
        "last": limits[1],
        "n": len(rows),
        "exact_match": measure(model, rows, limits[1]).exact_match,
        "exact_match_known_length": measure_known_length(model, rows),
    }
    model.train()
    return values
