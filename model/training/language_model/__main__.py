"""Command line: ``python -m model.training.language_model CONFIGURATION.toml``."""

import dataclasses
import sys
from pathlib import Path

from model.data.loading import CorpusMissingError
from model.device import choose_device
from model.training.command import train_until_stopped, training_parser
from model.training.language_model.config import load_language_model_training
from model.training.language_model.trainer import language_model_trainer
from model.training.processes import check_alone


def main(arguments: list[str] | None = None) -> int:
    """Train what the arguments say; return the process's exit status."""
    parser = training_parser(
        "python -m model.training.language_model", "Train a language model of characters.", folder="runs/NAME-SEED"
    )
    given = parser.parse_args(arguments)
    try:
        check_alone("a language model")
        training = load_language_model_training(given.configuration)
        if given.seed is not None:
            training = dataclasses.replace(training, seed=given.seed)
        folder = given.folder or Path("runs") / f"{given.configuration.stem}-{training.seed}"
        trainer = language_model_trainer(
            training, folder=folder, device=choose_device(given.device), data_dir=given.data_dir
        )
    except (OSError, ValueError, CorpusMissingError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return train_until_stopped(trainer, dataclasses.asdict(training), folder=folder)


if __name__ == "__main__":
    sys.exit(main())
