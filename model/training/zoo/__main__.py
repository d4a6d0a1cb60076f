"""Command line: ``python -m model.training.zoo``."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from tqdm import tqdm

from model.device import choose_device
from model.training.zoo.engines import Engine, ProcessEngine, RayEngine
from model.training.zoo.stacked import StackedEngine
from model.training.zoo.store import RESULTS, collect, is_finished
from model.zoo.plan import ENCODINGS, Recipe, Run, planned

_DESCRIPTION = """
Train every positional encoding on every task, on short inputs, and measure each model on longer ones.

Runs are independent, and each is saved when it is finished: whatever kills the sweep, the same command goes on with
the runs that are missing. Results of all finished runs stand in one file, FOLDER/results.parquet; weights and
configuration of each in a folder of its own.
"""


def sweep(runs: Sequence[Run], folder: Path, engine: Engine) -> list[str]:
    """Train those of ``runs`` that are not finished in ``folder``, collecting results; return what failed, and why."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [run for run in runs if not is_finished(run, folder)]
    failures = []
    n_steps = sum(run.recipe.n_steps for run in missing)
    with tqdm(total=n_steps, unit="step", smoothing=0.02, disable=not missing) as bar:
        bar.set_description(f"0/{len(missing)} runs")
        for n_over, outcome in enumerate(engine.run(missing, folder, bar.update), start=1):
            bar.set_description(f"{n_over}/{len(missing)} runs")
            if outcome.error is None:
                collect(folder)
            else:
                failures.append(f"{outcome.run.name}: {outcome.error}")
    collect(folder)
    return failures


def main(arguments: list[str] | None = None) -> int:
    """Run the sweep that the arguments ask for; return the process's exit status."""
    given = _parser().parse_args(arguments)
    try:
        asked = {"n_steps": given.steps, "n_training": given.training, "n_test": given.test}
        changes = {name: value for name, value in asked.items() if value is not None}
        runs = planned(given.tasks, given.encodings, given.seeds, **changes)
        if given.list:
            sys.stdout.writelines(f"{run.name}\n" for run in runs if not is_finished(run, given.folder))
            return 0
        engine = _engine(given)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        failures = sweep(runs, given.folder, engine)
    except KeyboardInterrupt:
        sys.stderr.write("stopped; the same command goes on with the runs that are missing\n")
        return 130
    sys.stderr.writelines(f"{failure}\n" for failure in failures)
    sys.stdout.write(f"{given.folder / RESULTS}\n")
    return 1 if failures else 0


def _parser() -> argparse.ArgumentParser:
    usual = Recipe()
    parser = argparse.ArgumentParser(
        prog="python -m model.training.zoo",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--folder", type=Path, default=Path("runs/zoo"), help="where to write (default: runs/zoo)")
    parser.add_argument("--tasks", nargs="+", default=(), metavar="TASK", help="only these; see model/tasks")
    parser.add_argument(
        "--encodings", nargs="+", default=(), metavar="ENCODING", help=f"only these of {', '.join(ENCODINGS)}"
    )
    parser.add_argument("--seeds", nargs="+", type=int, default=(), metavar="SEED", help="only these (default: 1 2 3)")
    parser.add_argument("--steps", type=int, help=f"of each run (default: {usual.n_steps}, of some tasks more)")
    parser.add_argument("--training", type=int, help=f"examples to train on (default: {usual.n_training})")
    parser.add_argument("--test", type=int, help=f"examples a length (default: {usual.n_test})")
    parser.add_argument(
        "--engine",
        choices=("processes", "ray", "stacked"),
        default="processes",
        help="what runs the runs; stacked takes the seeds of an encoding and task as one batch, for a GPU",
    )
    parser.add_argument("--workers", type=int, help="runs at a time, a core each (default: one a core)")
    parser.add_argument("--device", help="of a stack: cuda, mps or cpu (default: the first that there is)")
    parser.add_argument("--address", help="of a Ray cluster (default: start a local one)")
    parser.add_argument("--list", action="store_true", help="list the runs that are missing, and train none")
    return parser


def _engine(given: argparse.Namespace) -> Engine:
    if given.engine == "ray":
        return RayEngine(given.workers, given.address)
    if given.engine == "stacked":
        return StackedEngine(choose_device(given.device))
    return ProcessEngine(_workers(given.workers))


def _workers(asked: int | None) -> int:
    return len(os.sched_getaffinity(0)) if asked is None else asked


def _interrupt(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
