"""What the training commands share: a run that a signal stops and the same command goes on with."""

import argparse
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.data.loading import DATA_DIR_VARIABLE
from model.training.history import remember
from model.training.loop import Trainer

STOPPED = 130
"""Exit status of a run that was asked to stop, as a shell gives it after Ctrl-C."""


def training_parser(prog: str, description: str, *, folder: str) -> argparse.ArgumentParser:
    """Return the parser of what every training command takes: a configuration, a seed, where to read, write, compute.

    ``folder`` is where a run is written unless told otherwise.
    """
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("configuration", type=Path, help="TOML file; see the folder configurations beside the code")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--folder", type=Path, help=f"where to write, or to resume from (default: {folder})")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    parser.add_argument("--seed", type=int, help="instead of the one in the configuration")
    return parser


def train_until_stopped(trainer: Trainer[Any], training: Mapping[str, Any], *, folder: Path) -> int:
    """Train to the last step, or until SIGINT or SIGTERM; return the process's exit status.

    ``training``, the entries of the run's configuration, is remembered in ``folder``.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: trainer.stop())
    if trainer.writes:
        remember(training, folder=folder, step=trainer.progress.step)
    trainer.run()
    if trainer.is_finished:
        return 0
    if trainer.writes:
        sys.stderr.write(f"stopped at step {trainer.progress.step}; the same command goes on from there\n")
    return STOPPED
