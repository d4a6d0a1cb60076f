"""Command line: ``python -m model.training CONFIGURATION.toml``, also under ``torchrun``."""

import argparse
import dataclasses
import signal
import sys
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError
from model.training.history import commit, remember
from model.training.kept_weights import keeping
from model.training.kinds import KINDS, Training, load_training
from model.training.loop import Trainer
from model.training.processes import joined, own_device

STOPPED = 130
"""Exit status of a run that was asked to stop, as a shell gives it after Ctrl-C."""


def main(arguments: list[str] | None = None) -> int:
    """Train the run that the arguments describe; return the process's exit status."""
    options = _parser().parse_args(arguments)
    commit()  # reading a corpus takes a while, in which files may change
    ending = "" if options.seed is None else f"-{options.seed}"
    folder = options.folder or Path("runs") / f"{options.configuration.stem}{ending}"
    with ExitStack() as stack:
        try:
            training = load_training(options.configuration, seed=options.seed)
            device = own_device(options.device)
            processes = stack.enter_context(joined(device))
            trainer = KINDS[training.kind].trainer(
                training, folder=folder, device=device, data_dir=options.data_dir, processes=processes
            )
        except (OSError, ValueError, CorpusMissingError) as error:
            sys.stderr.write(f"{error}\n")
            return 2
        return _train_until_stopped(trainer, training, folder, keep=options.keep)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m model.training", description="Train a model.")
    parser.add_argument("configuration", type=Path, help="TOML file; see the folders configurations beside the code")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (default: ${DATA_DIR_VARIABLE})")
    parser.add_argument(
        "--folder", type=Path, help="where to write, or to resume from (default: runs/NAME, with --seed runs/NAME-SEED)"
    )
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that is available)")
    parser.add_argument("--seed", type=int, help="replaces the one in the configuration")
    parser.add_argument(
        "--keep",
        type=int,
        nargs="+",
        default=[],
        metavar="STEP",
        help="keep the weights after these steps too, as step-STEP.pt; the log shows the progress then, no bar",
    )
    return parser


def _train_until_stopped(trainer: Trainer[Any], training: Training, folder: Path, *, keep: Collection[int]) -> int:
    """Train to the last step, or until SIGINT or SIGTERM; return the process's exit status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: trainer.stop())
    if trainer.writes and not trainer.is_finished:
        remember(dataclasses.asdict(training), folder=folder, step=trainer.progress.step)
    trainer.run(keeping(trainer, keep, folder) if keep else None)
    if trainer.is_finished:
        return 0
    if trainer.writes:
        sys.stderr.write(f"stopped at step {trainer.progress.step}; the same command continues from there\n")
    return STOPPED


if __name__ == "__main__":
    sys.exit(main())
