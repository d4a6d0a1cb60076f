"""Choose from a sweep's runs what ships: ``python -m pretrained.publish_zoo --run FOLDER``."""

import argparse
import dataclasses
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from model.training.zoo.plan import Run, planned
from model.training.zoo.store import RESULTS, ROWS, RUN, SHA256, collect, weights_path
from pretrained.zoo_card import zoo_card
from pretrained.zoo_store import INDEX, ZOO, ZooModel

CARD = "card.md"
LIMIT = 40 * 10**6
"""Bytes that all shipped weights may have together."""


def publish(runs: Path, *, folder: Path = ZOO, seed: int = 1, limit: int = LIMIT) -> tuple[int, tuple[str, ...]]:
    """Copy the best weights of ``seed`` for every encoding and task, and the results of all seeds, to ``folder``.

    Tasks come in the order of the plan, each with all its encodings, as long as the weights stay within ``limit``
    bytes. All of it is made beside the folder and put in its place at the end.

    Returns:
        How many models ship, and the tasks that had no room.

    Raises:
        FileNotFoundError: there are no finished runs of ``seed``.
    """
    by_task = _finished(runs, seed)
    if not by_task:
        raise FileNotFoundError(f"{runs} has no finished run of seed {seed}; python -m model.training.zoo trains some")
    draft = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    shipped: list[ZooModel] = []
    left_out, n_bytes = [], 0
    for task, found in by_task.items():
        size = sum(weights_path(path, "best").stat().st_size for path in found)
        if n_bytes + size > limit:
            left_out.append(task)
            continue
        n_bytes += size
        (draft / task).mkdir()
        shipped += [_copy(path, draft) for path in found]
    entries = [dataclasses.asdict(model) for model in shipped]
    (draft / INDEX).write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    results = collect(runs)
    results.to_parquet(draft / RESULTS, index=False, compression="zstd")
    (draft / CARD).write_text(zoo_card(shipped, results), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)
    return len(shipped), tuple(left_out)


def _finished(runs: Path, seed: int) -> dict[str, list[Path]]:
    """Return the folders of finished runs by task, tasks and encodings in the order of the plan."""
    found = {}
    for path in runs.glob(f"*/{RUN}"):
        run = Run.from_json(path.read_text(encoding="utf-8"))
        if run.seed == seed and path.parent.name == run.name:
            found[run.name] = (run, path.parent)
    order = {run.name: place for place, run in enumerate(planned())}
    by_task: dict[str, list[Path]] = {}
    for name in sorted(found, key=lambda name: (order.get(name, len(order)), name)):
        run, path = found[name]
        by_task.setdefault(run.task, []).append(path)
    return by_task


def _copy(run_folder: Path, draft: Path) -> ZooModel:
    run = Run.from_json((run_folder / RUN).read_text(encoding="utf-8"))
    rows = pd.read_parquet(run_folder / ROWS, columns=["checkpoint", "step"])
    file = f"{run.task}/{run.encoding}.safetensors"
    shutil.copyfile(weights_path(run_folder, "best"), draft / file)
    sha256 = json.loads((run_folder / SHA256).read_text(encoding="utf-8"))["best"]
    return ZooModel(run, int(rows[rows.checkpoint == "best"].step.iloc[0]), file, sha256)


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publish_zoo", description=__doc__)
    parser.add_argument("--run", type=Path, default=Path("runs/zoo"), help="folder of the sweep (default: runs/zoo)")
    parser.add_argument("--seed", type=int, default=1, help="whose weights ship (default: 1)")
    given = parser.parse_args(arguments)
    try:
        n_models, left_out = publish(given.run, seed=given.seed)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{n_models} models\n")
    if left_out:
        sys.stdout.write(f"no room within {LIMIT / 1e6:g} MB for the models of {', '.join(left_out)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
