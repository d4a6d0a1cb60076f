"""Command line: ``python -m model.training.zoo``."""

import argparse
import sys
from pathlib import Path

from model.training.sweep import add_options, run_sweep
from model.training.zoo.plan import Selection, zoo_plan
from model.zoo.plan import ENCODINGS, Recipe

_DESCRIPTION = """
Train positional encodings on tasks, on short inputs, and measure each model on longer ones.

Runs are independent, and each is saved when it is finished: whatever stops the sweep, the same command goes on with
the runs that are missing. Results of all finished runs stand in one file, FOLDER/results.parquet; weights and
configuration of each in a folder of its own.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the sweep that the arguments ask for; return the process's exit status."""
    args = _parser().parse_args(arguments)
    changes = {"n_steps": args.steps, "n_training": args.training, "n_test": args.test}
    recipe = {name: value for name, value in changes.items() if value is not None}
    selection = Selection(tuple(args.tasks), tuple(args.encodings), tuple(args.seeds), recipe)
    return run_sweep(lambda: zoo_plan(selection.runs()), args.folder, args)


def _parser() -> argparse.ArgumentParser:
    default = Recipe()
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
    parser.add_argument("--steps", type=int, help=f"of each run (default: {default.n_steps}, of some tasks more)")
    parser.add_argument("--training", type=int, help=f"examples to train on (default: {default.n_training})")
    parser.add_argument("--test", type=int, help=f"examples a length (default: {default.n_test})")
    add_options(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
