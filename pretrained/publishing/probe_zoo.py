"""Fit linear probes of position to every shipped model of the zoo."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import torch
from tqdm import tqdm

from model.analysis.representations.probes import Streams, fit_probe, residual_streams, score_probe
from model.architectures.decoder_only import DecoderOnly
from model.device import use_one_thread
from model.tasks import Row, Task, draw_training, find, row_of, vocabulary_of
from model.training.history import commit
from model.zoo.data import held_out_rows
from pretrained.publishing.command import command, command_line
from pretrained.publishing.shipping import write_table
from pretrained.zoo import PROBES, ZOO, ZooModel, load_zoo_model, shipped_zoo, zoo_probes

_SEEDS = (1, 2, 3)
_FITTED, _SCORED = 20, 10


@command("probe_zoo")
def probe_zoo(
    *,
    tasks: Annotated[Sequence[str] | None, "only the models of these (default: all)"] = None,
    seeds: Annotated[Sequence[int], "of the probes"] = _SEEDS,
    folder: Path = ZOO,
) -> str:
    """Fit linear probes of position to the models of the zoo, and write their scores.

    Scores of other tasks that are already there stay, as long as their models ship.
    """
    use_one_thread()
    shipped = shipped_zoo(folder)
    if missing := sorted({*(tasks or ())} - {model.run.task for model in shipped}):
        raise ValueError(f"no model of the task {missing[0]!r} ships")
    probed = [model for model in shipped if not tasks or model.run.task in tasks]
    scores = [
        row
        for model in tqdm(probed, unit="model", disable=None)
        for seed in seeds
        for row in rows_of(model, load_zoo_model(model, folder), seed)
    ]
    kept = zoo_probes(folder)
    if not kept.empty:
        done = {model.sha256 for model in probed}
        kept = kept[kept.sha256.isin({model.sha256 for model in shipped} - done)]
    parts = [rows for rows in (kept, pd.DataFrame(scores)) if not rows.empty]
    if parts:
        write_table(pd.concat(parts, ignore_index=True), folder / PROBES)
    return f"{len(probed)} models"


def rows_of(shipped: ZooModel, model: DecoderOnly, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the scores of each layer of ``shipped``, whose network is ``model``; layer 0 is what the first layer reads.

    ``seed`` draws the inputs that probes are fitted to, the weights of the "untrained" model of the same shape, and
    the order of the "shuffled" labels. "trained" lengths are scored on held-out inputs, as are those "beyond", up to
    twice as long.
    """
    task = find(shipped.run.task)
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        fresh = DecoderOnly(shipped.run.model).eval()
    fitted, scored = _fitted(task, seed), _scored(task)
    shared = {
        "task": shipped.run.task,
        "encoding": shipped.run.encoding,
        "seed": shipped.run.seed,
        "sha256": shipped.sha256,
        "probe_seed": seed,
        "command": command_line("probe_zoo", "--tasks", shipped.run.task, "--seeds", seed),
        "commit": commit(),
    }
    for subjects, network in ((("trained", "shuffled"), model), (("untrained",), fresh)):
        learned = residual_streams(network, fitted)
        tests = {region: residual_streams(network, rows) for region, rows in scored.items() if rows}
        for subject in subjects:
            for row in _layer_rows(learned, tests, _labels(learned, subject, seed)):
                yield shared | {"subject": subject} | row


def _layer_rows(learned: Streams, tests: dict[str, Streams], labels: torch.Tensor) -> Iterator[dict[str, Any]]:
    for layer, x in enumerate(learned.layers):
        probe = fit_probe(x, labels)
        for region, test in tests.items():
            yield {"layer": layer, "region": region} | vars(score_probe(probe, test.layers[layer], test.positions))


def _labels(learned: Streams, subject: str, seed: int) -> torch.Tensor:
    if subject != "shuffled":
        return learned.positions
    order = torch.randperm(len(learned.positions), generator=torch.Generator().manual_seed(seed))
    return learned.positions[order]


def _fitted(task: Task, seed: int) -> list[Row]:
    rng = random.Random(f"{task.description.name} probes {seed}")
    vocabulary = vocabulary_of(task)
    drawn = (draw_training(task, length, rng) for length in task.training_lengths() for _ in range(_FITTED))
    return [row_of(task, vocabulary, inputs) for inputs in drawn if inputs is not None]


def _scored(task: Task) -> dict[str, list[Row]]:
    longest = task.description.train_lengths[1]
    beyond = [length for length in task.description.test_lengths if longest < length <= 2 * longest]
    lengths = {"trained": task.training_lengths(), "beyond": beyond}
    return {
        region: [row for length in some for row in held_out_rows(task, length, _SCORED)]
        for region, some in lengths.items()
    }
