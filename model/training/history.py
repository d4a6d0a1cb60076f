"""The history of a run: its configurations and code, and the step that each began at."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch

from model.files import write_text

_FILE = "history.json"
DIRTY, UNKNOWN = "-dirty", "unknown"
"""How a commit ends that does not hold all the code, and what stands for one that nobody knows."""
_TRAINING_FILES = (":/*.py", ":/*.toml", ":/*.sh")


def remember(training: Mapping[str, Any], *, folder: Path, step: int) -> None:
    """Add a segment from ``step`` with ``training`` to the run in ``folder``, unless the last is equal."""
    segment = {"commit": commit(), "torch": torch.__version__, "training": dict(training)}
    segment = json.loads(json.dumps(segment))  # a tuple comes back from the file as a list
    history = read_history(folder)
    if not history or {key: history[-1].get(key) for key in segment} != segment:
        write_history([*history, {"from_step": step, **segment}], folder=folder)


def write_history(history: Sequence[Mapping[str, Any]], *, folder: Path) -> None:
    """Make ``history`` the segments of the run in ``folder``."""
    write_text(json.dumps(history, indent=2) + "\n", folder / _FILE)


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


def trained_by(history: Sequence[Mapping[str, Any]]) -> str:
    """Return the commit of the last segment of ``history``, or of one whose code no commit holds."""
    commits: list[str] = [segment["commit"] for segment in history]
    return next((one for one in commits if not is_committed(one)), commits[-1])


def is_committed(commit: str) -> bool:
    """Return whether ``commit``, as :func:`commit` gives it, holds the code."""
    return commit != UNKNOWN and not commit.endswith(DIRTY)


def check_not_begun(folder: Path, configuration: Path) -> None:
    """Raise ValueError if there is a run in ``folder`` already, which ``configuration`` can only continue."""
    if read_history(folder):
        raise ValueError(f"{folder} has begun already; python -m model.training {configuration} continues it")


@cache
def commit() -> str:
    """Return the commit of this code, with "-dirty" if it does not hold all of it; "unknown" outside git.

    Only code and configurations count, new files as well as changed ones: tables and weights train nothing. What a
    process asks first holds until its end, so ask when it begins: files that change later are not what it imported.
    """
    try:
        changed = _git("status", "--porcelain", "--untracked-files=all", "--", *_TRAINING_FILES)
        return _git("rev-parse", "HEAD") + (DIRTY if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return UNKNOWN


def _git(*arguments: str) -> str:
    # Without optional locks: others may use the same checkout.
    command = ["git", "--no-optional-locks", "-C", str(Path(__file__).parent), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
