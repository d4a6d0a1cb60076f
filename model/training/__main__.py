"""Command line: ``python -m model.training CONFIGURATION.toml``, or ``torchrun -m model.training …`` for processes."""

import dataclasses
import sys
from contextlib import ExitStack
from pathlib import Path

from model.data.loading import CorpusMissingError
from model.training.command import train_until_stopped, training_parser
from model.training.processes import joined, own_device
from model.training.translation.config import load_training
from model.training.translation.trainer import translation_trainer


def main(arguments: list[str] | None = None) -> int:
    """Train what the arguments say; return the process's exit status."""
    parser = training_parser(
        "python -m model.training", "Train a translator.", folder="runs/NAME, with --seed runs/NAME-SEED"
    )
    given = parser.parse_args(arguments)
    ending = "" if given.seed is None else f"-{given.seed}"
    folder = given.folder or Path("runs") / f"{given.configuration.stem}{ending}"
    with ExitStack() as stack:
        try:
            training = load_training(given.configuration)
            if given.seed is not None:
                training = dataclasses.replace(training, seed=given.seed)
            device = own_device(given.device)
            processes = stack.enter_context(joined(device))
            trainer = translation_trainer(
                training, folder=folder, device=device, data_dir=given.data_dir, processes=processes
            )
        except (OSError, ValueError, CorpusMissingError) as error:
            sys.stderr.write(f"{error}\n")
            return 2
        return train_until_stopped(trainer, dataclasses.asdict(training), folder=folder)


if __name__ == "__main__":
    sys.exit(main())
