"""Plans of the zoo: which of its runs a sweep trains, and how."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from model.training.config import from_entries
from model.training.loop import OnSteps
from model.training.runs import Plan
from model.training.zoo.results import save_trained
from model.training.zoo.train import train
from model.zoo.plan import Recipe, Run, planned


@dataclass(frozen=True)
class Selection:
    """Runs of the zoo by task, encoding and seed, all where none is named, and recipe changes."""

    tasks: tuple[str, ...] = ()
    encodings: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    recipe: dict[str, Any] = field(default_factory=dict)

    def runs(self) -> list[Run]:
        """Return the runs; raises ValueError for an unknown name, or a change that no recipe allows."""
        return planned(self.tasks, self.encodings, self.seeds, **recipe_changes(self.recipe))


def recipe_changes(entries: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``entries`` as a recipe has them.

    Raises:
        ValueError: an entry is unknown, of another type or out of range.
    """
    recipe = from_entries(Recipe, entries, "recipe")
    return {name: getattr(recipe, name) for name in entries}


def zoo_plan(runs: Sequence[Run]) -> Plan:
    """Return the plan of ``runs``."""
    return Plan(tuple(runs), train_and_save)


def train_and_save(run: Run, folder: Path, on_steps: OnSteps) -> pd.DataFrame:
    """Train ``run`` from its first step, save its weights in ``folder``, and return its result rows."""
    return save_trained(run, train(run, on_steps), folder)
