"""Command line: ``python -m model.training CONFIGURATION.toml``."""

import argparse
import signal
import sys
from pathlib import Path

from model.data import DATA_DIR_VARIABLE, CorpusMissingError
from model.device import choose_device
from model.training.config import load_training
from model.training.history import remember
from model.training.translation import translation_trainer


def main(arguments: list[str] | None = None) -> int:
    """Train what the arguments say; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m model.training", description="Train a translator.")
    parser.add_argument("configuration", type=Path, help="TOML file; see model/training/configurations")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--folder", type=Path, help="where to write, or to resume from (default: runs/NAME)")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    given = parser.parse_args(arguments)
    folder = given.folder or Path("runs") / given.configuration.stem
    try:
        training = load_training(given.configuration)
        device = choose_device(given.device)
        trainer = translation_trainer(training, folder=folder, device=device, data_dir=given.data_dir)
    except (OSError, ValueError, CorpusMissingError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: trainer.stop())
    remember(training, folder=folder, step=trainer.progress.step)
    trainer.run()
    if not trainer.is_finished:
        sys.stderr.write(f"stopped at step {trainer.progress.step}; the same command goes on from there\n")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
