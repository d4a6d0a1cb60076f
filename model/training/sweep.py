"""Sweeps: all runs of a plan, several at a time, and one results file of them all.

``python -m model.training.sweep PLAN.toml``.

Runs are independent. Whatever stops a sweep, the same command goes on: finished runs are kept, a run whose trainer
writes checkpoints continues from its last one, and any other begins again.
"""

import argparse
import signal
import sys
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path

from tqdm import tqdm

from model.data.loading import DATA_DIR_VARIABLE
from model.device import choose_device
from model.training.engines import Engine, ProcessEngine, RayEngine, one_a_core
from model.training.history import commit
from model.training.plan import read_plan
from model.training.runs import RESULTS, Plan, collect, unfinished
from model.training.zoo.stacked import StackedEngine


def sweep(plan: Plan, folder: Path, engine: Engine) -> list[str]:
    """Train the runs of ``plan`` that are not finished in ``folder``, and collect the results of all.

    Returns:
        What failed, and why.

    Raises:
        ValueError: ``folder`` holds a run of the same name by another configuration, or the engine trains no such runs.
    """
    commit()  # an engine may train in this very process
    folder.mkdir(parents=True, exist_ok=True)
    missing = unfinished(plan.runs, folder)
    failures = []
    with tqdm(total=sum(run.n_steps for run in missing), unit="step", smoothing=0.02, disable=not missing) as bar:
        bar.set_description(f"0/{len(missing)} runs")
        for n_over, outcome in enumerate(engine.run(missing, folder, plan.train, bar.update), start=1):
            bar.set_description(f"{n_over}/{len(missing)} runs")
            if outcome.error is None:
                collect(folder)
            else:
                failures.append(f"{outcome.run.name}: {outcome.error}")
    collect(folder)
    return failures


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add to ``parser`` the options that :func:`run_sweep` reads."""
    parser.add_argument("--only", nargs="+", default=("*",), metavar="PATTERN", help="only runs of such names")
    parser.add_argument("--list", action="store_true", help="list the runs that are missing, and train none")
    parser.add_argument(
        "--engine",
        choices=("processes", "ray", "stacked"),
        default="processes",
        help="what trains the runs; stacked takes runs of the zoo that differ in their seed as one batch, for a GPU",
    )
    parser.add_argument("--workers", type=int, help="runs at a time, each in one thread (default: one a core)")
    parser.add_argument("--device", help="cuda, mps or cpu (default: cpu; of a stack, the first that is available)")
    parser.add_argument("--address", help="of a Ray cluster (default: start a local one)")


def run_sweep(make_plan: Callable[[], Plan], folder: Path, options: argparse.Namespace) -> int:
    """Sweep what ``make_plan`` returns as the ``options`` say; return the process's exit status."""
    try:
        plan = make_plan()
        plan = Plan(tuple(run for run in plan.runs if any(fnmatch(run.name, one) for one in options.only)), plan.train)
        if not plan.runs:
            raise ValueError("the plan has no run of such a name, task, encoding and seed")
        missing = unfinished(plan.runs, folder)
        if options.list:
            sys.stdout.writelines(f"{run.name}\n" for run in missing)
            return 0
        engine = _engine(options)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        failures = sweep(plan, folder, engine)
    except KeyboardInterrupt:
        sys.stderr.write("stopped; the same command goes on with the runs that are missing\n")
        return 130
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stderr.writelines(f"{failure}\n" for failure in failures)
    sys.stdout.write(f"{folder / RESULTS}\n")
    return 1 if failures else 0


def _engine(options: argparse.Namespace) -> Engine:
    if options.engine == "ray":
        return RayEngine(options.workers, options.address)
    if options.engine == "stacked":
        return StackedEngine(choose_device(options.device))
    return ProcessEngine(one_a_core() if options.workers is None else options.workers)


def main(arguments: list[str] | None = None) -> int:
    """Run the sweep that the arguments ask for; return the process's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m model.training.sweep",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("plan", type=Path, help="TOML file; see the folder plans beside the code")
    parser.add_argument("--folder", type=Path, help="where to write, or to go on (default: runs/PLAN)")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (default: ${DATA_DIR_VARIABLE})")
    add_options(parser)
    options = parser.parse_args(arguments)
    folder = options.folder or Path("runs") / options.plan.stem
    return run_sweep(lambda: read_plan(options.plan, data_dir=options.data_dir, device=options.device), folder, options)


if __name__ == "__main__":
    sys.exit(main())
