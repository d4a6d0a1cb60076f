"""How a function becomes a kind of ``python -m pretrained.publishing``: its parameters are the options."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

from model.data.loading import DATA_DIR_VARIABLE

PROGRAM = "python -m pretrained.publishing"

DataDir = Annotated[Path | None, f"folder of the corpora (else ${DATA_DIR_VARIABLE})"]
Device = Annotated[str | None, "cuda, mps or cpu (default: the first available)"]
Name = Annotated[str, "folder of a translator in pretrained/"]
Names = Annotated[Sequence[str], "folders of translators in pretrained/"]
Configuration = Annotated[Path, "TOML file of the run"]
Run = Annotated[Path | None, "folder of the run (default: runs/NAME, after the configuration)"]

Function = TypeVar("Function", bound=Callable[..., object])


def command(kind: str) -> Callable[[Function], Function]:
    """Mark a function as what ``python -m pretrained.publishing KIND`` runs.

    A parameter ``Annotated[type, "help"]`` is an argument, or an option where it is keyword-only. ``command`` is the
    command line as typed; other parameters keep their defaults. What the function returns or yields is printed.
    """
    del kind  # read from the source, so that a list of all kinds imports none of them
    return lambda function: function


def command_line(*words: object) -> str:
    """Return the command that runs a kind with its arguments."""
    return f"{PROGRAM} {shlex.join(map(str, words))}"


def run_folder(run: Path | None, name: str) -> Path:
    """Return the folder of a run, by default the one of its ``name``."""
    return run or Path("runs") / name
