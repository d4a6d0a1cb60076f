"""Ship the zoo: the weights of a sweep's runs that have room, the results of all, and a card."""

import dataclasses
import json
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import pandas as pd

from model.tasks import find
from model.training.runs import RESULTS, ROWS, RUN
from model.training.zoo.results import SHA256, WEIGHTS
from model.zoo.evaluate import LEARNED
from model.zoo.plan import Run, entries
from model.zoo.scores import trained_scores
from pretrained.publishing.command import command
from pretrained.publishing.shipping import committed_rows, draft, merged_rows, write_json, write_table
from pretrained.translators import CARD
from pretrained.zoo import (
    CIRCUITS,
    COSTS,
    CRASP,
    HEADS,
    INDEX,
    PROBES,
    ZOO,
    ZooModel,
    shipped_zoo,
    zoo_circuits,
    zoo_heads,
    zoo_probes,
    zoo_results,
)

LIMIT = 75 * 10**6
"""Bytes that all shipped weights may have together."""

_Pair = tuple[str, str]  # task and encoding
_Candidate = tuple[ZooModel, Path]  # with its weights file

_CARD = """# The zoo of length generalization

{n_models} causal decoders of {smallest:,} to {largest:,} parameters ({n_layers} layers of {n_heads} heads,
d_model {d_model}), alike but for their positional encoding: each learned one algorithmic task on short inputs and was
measured on longer ones.

**Data.** Drawn by the generators in `model/tasks`, the same for a seed; nothing is copied from elsewhere. No input is
both trained on and tested on. The protocol is that of Kazemnejad et al. 2023 (arXiv:2305.19466), much smaller.

**Licence.** Apache-2.0, as the code.

**Training.** `python -m model.training.zoo`, seed {seeds}; the checkpoint with the most held-out inputs of trained
lengths right, in half precision. `results.parquet` holds every run's configuration, seed, commit and measurements.
Code: {commits}.

**Scores.** Exact match by greedy decoding, on held-out inputs of trained lengths. Below {learned:g} a model counts as
not trained.

| task | trained on | models | exact match, least to most | not trained |
|---|---|---|---|---|
{rows}

**Use.** To see where models of each encoding fail past the lengths they were trained on. They can do nothing else.
"""


@command("zoo")
def ship_zoo(
    *,
    run: Annotated[Path, "folder of the sweep"] = Path("runs/zoo"),
    seed: Annotated[int, "whose weights ship"] = 1,
    folder: Path = ZOO,
    limit: int = LIMIT,
) -> Iterator[str]:
    """Ship the best weights of one seed for each encoding and task of the zoo, and all seeds' results.

    What shipped of other runs before stays. Tasks come in the order of the plan, each with all its encodings, as long
    as there is room for their weights.
    """
    # In this order: a run that ends in between has rows and no weights here.
    finished, rows = _finished(run), committed_rows(run)
    of_seed = {_pair(model): (model, path) for model, path in finished if model.run.seed == seed}
    candidates = _shipped(folder) | of_seed
    if not finished or not candidates:
        raise FileNotFoundError(f"{run} has no finished run of seed {seed}; python -m model.training.zoo trains some")
    shipped, left_out = _within(limit, _by_task(candidates))
    measured = merged_rows(zoo_results(folder), rows, ("task", "encoding", "seed"))
    measured_weights = _still_true(folder, {model.sha256 for model, _ in shipped})
    with draft(folder, keep=(COSTS, CRASP)) as unfinished:  # these two are of none of the runs
        _write(unfinished, shipped, measured, measured_weights)
    yield f"{len(shipped)} models"
    if left_out:
        yield f"no room within {limit / 1e6:g} MB for the models of {', '.join(left_out)}"


def _still_true(folder: Path, shipped: Collection[str]) -> dict[str, pd.DataFrame]:
    """Return what was measured of the weights in ``folder``, by file, as far as weights of such sums still ship."""
    tables = {
        PROBES: (zoo_probes(folder), "sha256"),
        HEADS: (zoo_heads(folder), "weights"),
        CIRCUITS: (zoo_circuits(folder), "sha256"),
    }
    return {name: rows[rows[column].isin(shipped)] for name, (rows, column) in tables.items() if not rows.empty}


def _write(
    folder: Path,
    shipped: Sequence[_Candidate],
    measured: pd.DataFrame,
    measured_weights: Mapping[str, pd.DataFrame],
) -> None:
    for model, path in shipped:
        (folder / model.file).parent.mkdir(exist_ok=True)
        # Weights that were lost stay in the index: it names the command that trains them.
        if path.is_file():
            shutil.copyfile(path, folder / model.file)
    models = [model for model, _ in shipped]
    write_json([dataclasses.asdict(model) for model in models], folder / INDEX)
    write_table(measured, folder / RESULTS)
    (folder / CARD).write_text(zoo_card(models, measured), encoding="utf-8")
    for name, rows in measured_weights.items():
        if not rows.empty:
            write_table(rows, folder / name)


def _shipped(folder: Path) -> dict[_Pair, _Candidate]:
    return {_pair(model): (model, folder / model.file) for model in shipped_zoo(folder)}


def _pair(model: ZooModel) -> _Pair:
    return model.run.task, model.run.encoding


def _finished(runs: Path) -> list[_Candidate]:
    """Return the finished runs whose best weights are there; of the others the results alone are published."""
    finished = []
    for path in runs.glob(f"*/{RUN}"):
        run_folder, run = path.parent, Run.from_json(path.read_text(encoding="utf-8"))
        if run_folder.name == run.name and (run_folder / WEIGHTS).is_file():
            rows = pd.read_parquet(run_folder / ROWS, columns=["checkpoint", "step"])
            step = int(rows[rows.checkpoint == "best"].step.iloc[0])
            sha256 = json.loads((run_folder / SHA256).read_text(encoding="utf-8"))["best"]
            model = ZooModel(run, step, f"{run.task}/{run.encoding}.safetensors", sha256)
            finished.append((model, run_folder / WEIGHTS))
    return finished


def _by_task(candidates: Mapping[_Pair, _Candidate]) -> dict[str, list[_Candidate]]:
    """Return ``candidates`` by task, tasks and encodings in the order of the plan."""
    pairs = dict.fromkeys((task, encoding) for task, encoding, _ in entries())
    order = {pair: place for place, pair in enumerate(pairs)}
    by_task: dict[str, list[_Candidate]] = {}
    for pair in sorted(candidates, key=lambda pair: (order.get(pair, len(order)), pair)):
        by_task.setdefault(pair[0], []).append(candidates[pair])
    return by_task


def _within(limit: int, by_task: dict[str, list[_Candidate]]) -> tuple[list[_Candidate], tuple[str, ...]]:
    """Return the candidates whose tasks have room, whole, in ``limit`` bytes, and the tasks that have none."""
    chosen, left_out, n_bytes = [], [], 0
    for task, candidates in by_task.items():
        size = sum(path.stat().st_size for _, path in candidates if path.is_file())
        if n_bytes + size > limit:
            left_out.append(task)
            continue
        n_bytes += size
        chosen += candidates
    return chosen, tuple(left_out)


def zoo_card(models: Sequence[ZooModel], results: pd.DataFrame) -> str:
    """Return the card of ``models``, whose scores are in ``results``.

    Raises:
        ValueError: no models.
    """
    if not models:
        raise ValueError("there are no models to write a card of")
    shipped = {(model.run.task, model.run.encoding, model.run.seed) for model in models}
    best = results[results.checkpoint == "best"].drop_duplicates(["task", "encoding", "seed"])
    ours = best[[key in shipped for key in zip(best.task, best.encoding, best.seed, strict=True)]]
    scores = trained_scores(results)
    ours = ours.assign(trained=[scores[key] for key in zip(ours.task, ours.encoding, ours.seed, strict=True)])
    config = models[0].run.model
    return _CARD.format(
        n_models=len(models),
        smallest=ours.n_parameters.min(),
        largest=ours.n_parameters.max(),
        n_layers=config.n_layers,
        n_heads=config.n_heads,
        d_model=config.d_model,
        seeds=", ".join(map(str, sorted(set(ours.seed)))),
        commits=", ".join(f"`{commit}`" for commit in sorted(set(ours.commit))),
        learned=LEARNED,
        rows="\n".join(_row(str(task), rows) for task, rows in ours.groupby("task", sort=False)),
    )


def _row(task: str, rows: pd.DataFrame) -> str:
    described, values = find(task).description, rows.trained
    failed = rows[values < LEARNED]
    named = ", ".join(f"{row.encoding} ({row.trained:.3f})" for row in failed.itertuples()) or "–"
    low, high = described.train_lengths
    lengths = f"{low} to {high} {described.unit}"
    return f"| {described.title} | {lengths} | {len(rows)} | {values.min():.2f} to {values.max():.2f} | {named} |"
