"""The history of a run: its configurations and code, and the step that each began at."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

_FILE = "history.json"


def remember(training: Mapping[str, Any], *, folder: Path, step: int) -> None:
    """Add a segment from ``step`` with ``training`` to the run in ``folder``, unless the last is equal."""
    segment = {"commit": commit(), "torch": torch.__version__, "training": dict(training)}
    segment = json.loads(json.dumps(segment))  # a tuple comes back from the file as a list
    history = read_history(folder)
    if not history or {key: history[-1].get(key) for key in segment} != segment:
        write_history([*history, {"from_step": step, **segment}], folder=folder)


def write_history(history: Sequence[Mapping[str, Any]], *, folder: Path) -> None:
    """Make ``history`` the segments of the run in ``folder``."""
    (folder / _FILE).write_text(json.dumps(history, indent=2) + "\n", encoding="utf-8")


def read_history(folder: Path) -> list[dict[str, Any]]:
    """Return the segments of the run in ``folder``, the first one first; none if it has not begun."""
    path = folder / _FILE
    if not path.is_file():
        return []
    history: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return history


def corpora_of(segment: Mapping[str, Any]) -> list[str]:
    """Return the corpora of ``segment``, that of a run or of another run that it began with."""
    if "training" in segment:
        data = segment["training"]["data"]
        return list(dict.fromkeys((data["corpus"], *data["more_corpora"])))
    corpora: list[str] = segment.get("corpora", [])
    return corpora


def check_not_begun(folder: Path, configuration: Path) -> None:
    """Raise ValueError if there is a run in ``folder`` already, which ``configuration`` can only continue."""
    if read_history(folder):
        raise ValueError(f"{folder} has begun already; python -m model.training {configuration} continues it")


def commit() -> str:
    """Return the commit of this code, marked if files have changed since; "unknown" outside git."""
    try:
        command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--abbrev=40", "--dirty"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
