"""Make a shipped translator a finished run again, for others to learn from.

``python -m pretrained.publishing.as_teacher NAME``.

A configuration names its teachers, and the run that made its candidates, by the folders of finished runs. These do not
ship; the weights that they ended with do.
"""

import argparse
import dataclasses
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from model.checkpoint import DamagedWeightsError, save_state
from model.training.history import read_history, write_history
from pretrained.translators import FOLDER, TOKENIZER, load_translator, read_card


def as_teacher(name: str, *, run: Path) -> None:
    """Write to ``run`` the weights, the tokenizer and the history that the shipped translator ``name`` ended with.

    Raises:
        DamagedWeightsError: the model's files are not the recorded ones.
        ValueError: no model of that name ships, or there is another run in ``run``.
    """
    card, translator = read_card(name), load_translator(name, "cpu")
    training = {**card.metrics["training"], "model": dataclasses.asdict(card.config)}
    if read_history(run):
        raise ValueError(f"{run} has begun already; name a folder that holds no run")
    run.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(FOLDER / name / TOKENIZER, run / TOKENIZER)
    entries = {entry: card.metrics[entry] for entry in ("step", "averaged")}
    save_state({"weights": translator.model.state_dict(), **entries}, run / "best.pt")
    *before, last = card.metrics["history"]
    write_history([*before, {**last, "training": training}], folder=run)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publishing.as_teacher", description=__doc__)
    parser.add_argument("name", help="folder in pretrained/")
    parser.add_argument("--run", type=Path, help="folder of the run (default: runs/NAME)")
    given = parser.parse_args(arguments)
    run = given.run or Path("runs") / given.name
    try:
        as_teacher(given.name, run=run)
    except (OSError, ValueError, DamagedWeightsError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{run} is the finished run of {given.name}; a configuration can name it as a teacher\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
