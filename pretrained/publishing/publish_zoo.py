"""Choose from a sweep's runs what ships: ``python -m pretrained.publishing.publish_zoo --run FOLDER``."""

import argparse
import dataclasses
import json
import shutil
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pandas as pd

from model.checkpoint import DamagedWeightsError
from model.training.runs import RESULTS, ROWS, RUN, collect
from model.training.zoo.results import SHA256, weights_path
from model.zoo.plan import Run, entries
from pretrained.publishing.rows import merged_rows
from pretrained.publishing.zoo_card import zoo_card
from pretrained.zoo import COSTS, HEADS, INDEX, PROBES, ZOO, ZooModel, shipped_zoo, zoo_heads, zoo_probes, zoo_results

CARD = "card.md"
LIMIT = 75 * 10**6
"""Bytes that all shipped weights may have together."""

_Pair = tuple[str, str]  # task and encoding
_Candidate = tuple[ZooModel, Path]  # with its weights file


def publish(
    runs: Path, *, folder: Path = ZOO, seed: int = 1, limit: int = LIMIT, anew: bool = False
) -> tuple[int, tuple[str, ...]]:
    """Copy the best weights of ``seed`` for every encoding and task, and the results of all seeds, to ``folder``.

    What ``folder`` already holds of other runs stays, unless ``anew``. Tasks come in the order of the plan, each with
    all its encodings, as long as the weights stay within ``limit`` bytes. All of it is made beside the folder and put
    in its place at the end.

    Returns:
        How many models ship, and the tasks that had no room.

    Raises:
        FileNotFoundError: there are no finished runs, or none of ``seed`` where no model was published before.
        DamagedWeightsError: what ``folder`` holds has an unreadable index.
    """
    finished = _finished(runs)
    of_seed = {_pair(model): (model, path) for model, path in finished if model.run.seed == seed}
    candidates = of_seed if anew else _published(folder) | of_seed
    if not finished or not candidates:
        raise FileNotFoundError(f"{runs} has no finished run of seed {seed}; python -m model.training.zoo trains some")
    shipped, left_out = _within(limit, _by_task(candidates))
    measured = collect(runs) if anew else merged_rows(zoo_results(folder), collect(runs), ("task", "encoding", "seed"))
    measured_weights = {} if anew else _still_true(folder, {model.sha256 for model, _ in shipped})
    draft = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    _write(draft, shipped, measured, measured_weights)
    if (folder / COSTS).is_file():  # they are no run's
        shutil.copyfile(folder / COSTS, draft / COSTS)
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)
    return len(shipped), left_out


def _still_true(folder: Path, shipped: Collection[str]) -> dict[str, pd.DataFrame]:
    """Return what was measured of the weights in ``folder``, by file, as far as weights of such sums still ship."""
    tables = {PROBES: (zoo_probes(folder), "sha256"), HEADS: (zoo_heads(folder), "weights")}
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
    entries = [dataclasses.asdict(model) for model in models]
    (folder / INDEX).write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    measured.to_parquet(folder / RESULTS, index=False, compression="zstd")
    (folder / CARD).write_text(zoo_card(models, measured), encoding="utf-8")
    for name, rows in measured_weights.items():
        if not rows.empty:
            rows.to_parquet(folder / name, index=False, compression="zstd")


def _published(folder: Path) -> dict[_Pair, _Candidate]:
    return {_pair(model): (model, folder / model.file) for model in shipped_zoo(folder)}


def _pair(model: ZooModel) -> _Pair:
    return model.run.task, model.run.encoding


def _finished(runs: Path) -> list[_Candidate]:
    """Return the finished runs whose best weights are there; of the others the results alone are published."""
    finished = []
    for path in runs.glob(f"*/{RUN}"):
        run_folder, run = path.parent, Run.from_json(path.read_text(encoding="utf-8"))
        if run_folder.name == run.name and weights_path(run_folder, "best").is_file():
            rows = pd.read_parquet(run_folder / ROWS, columns=["checkpoint", "step"])
            step = int(rows[rows.checkpoint == "best"].step.iloc[0])
            sha256 = json.loads((run_folder / SHA256).read_text(encoding="utf-8"))["best"]
            model = ZooModel(run, step, f"{run.task}/{run.encoding}.safetensors", sha256)
            finished.append((model, weights_path(run_folder, "best")))
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publishing.publish_zoo", description=__doc__)
    parser.add_argument("--run", type=Path, default=Path("runs/zoo"), help="folder of the sweep (default: runs/zoo)")
    parser.add_argument("--seed", type=int, default=1, help="whose weights ship (default: 1)")
    parser.add_argument("--anew", action="store_true", help="keep nothing of what was published before")
    given = parser.parse_args(arguments)
    try:
        n_models, left_out = publish(given.run, seed=given.seed, anew=given.anew)
    except (DamagedWeightsError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{n_models} models\n")
    if left_out:
        sys.stdout.write(f"no room within {LIMIT / 1e6:g} MB for the models of {', '.join(left_out)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
