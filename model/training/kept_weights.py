"""Weights that a run keeps on the way, for what looks at how a model learns."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from model.checkpoint import save_state
from model.training.loop import OnSteps, Trainer


def kept_path(folder: Path, step: int) -> Path:
    """Return the file for the weights of the run in ``folder`` after ``step`` steps."""
    return folder / f"step-{step}.pt"


def keeping(trainer: Trainer[Any], steps: Collection[int], folder: Path) -> OnSteps:
    """Return a callback that writes the weights of ``trainer`` to ``folder`` after ``steps``."""

    def on_steps(_: int) -> None:
        step = trainer.progress.step
        if step in steps and trainer.writes:
            save_state({"weights": trainer.model.state_dict(), "step": step}, kept_path(folder, step))

    return on_steps


def kept_steps(folder: Path) -> tuple[int, ...]:
    """Return the steps whose weights the run in ``folder`` kept, in their order."""
    names = (path.stem.removeprefix("step-") for path in folder.glob("step-*.pt"))
    return tuple(sorted(int(name) for name in names if name.isdecimal()))
