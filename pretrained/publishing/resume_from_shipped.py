"""Continue the training of a shipped translator.

``python -m pretrained.publishing.resume_from_shipped CONFIGURATION.toml``.
"""

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from model.checkpoint import DamagedWeightsError
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError
from model.training.history import check_not_begun, write_history
from model.training.translation.config import load_translation_training
from model.training.translation.trainer import translation_trainer
from pretrained.translators import FOLDER, TOKENIZER, load_translator, read_card


def resume_from_shipped(configuration: Path, *, run: Path, data_dir: Path | None) -> int:
    """Write to ``run`` the state of the shipped model that ``configuration`` is named after; return its step.

    The optimizer, whose state does not ship, is a fresh one.

    Raises:
        CorpusMissingError: a corpus is not in ``data_dir``.
        DamagedWeightsError: the model's files are not the recorded ones.
        ValueError: no model of that name ships, it has other sizes, or ``run`` has begun already.
    """
    training, name = load_translation_training(configuration), configuration.stem
    card = read_card(name)
    if card.config != training.model:
        raise ValueError(f"{name} ships with other sizes than {configuration} asks for; train that from the start")
    check_not_begun(run, configuration)
    weights = load_translator(name, "cpu").model.state_dict()
    run.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(FOLDER / name / TOKENIZER, run / TOKENIZER)
    trainer = translation_trainer(training, folder=run, device=torch.device("cpu"), data_dir=data_dir)
    trainer.begin_at(weights, card.metrics["step"])
    write_history(card.metrics["history"], folder=run)
    return trainer.progress.step


def main(arguments: Sequence[str] | None = None) -> int:
    """Begin what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publishing.resume_from_shipped", description=__doc__)
    parser.add_argument("configuration", type=Path, help="TOML file that is named as the shipped model")
    parser.add_argument("--run", type=Path, help="folder of the run (default: runs/NAME)")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    given = parser.parse_args(arguments)
    run = given.run or Path("runs") / given.configuration.stem
    try:
        step = resume_from_shipped(given.configuration, run=run, data_dir=given.data_dir)
    except (OSError, ValueError, CorpusMissingError, DamagedWeightsError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{run} stands at step {step:,}; python -m model.training {given.configuration} continues it\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
