"""Plans of the zoo: which of its runs a sweep trains, and how."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

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
        known = [entry.name for entry in dataclasses.fields(Recipe)]
        if unknown := sorted(self.recipe.keys() - set(known)):
            raise ValueError(f"the recipe has {unknown[0]}; its entries are {', '.join(known)}")
        return planned(self.tasks, self.encodings, self.seeds, **self.recipe)


def zoo_plan(runs: Sequence[Run]) -> Plan:
    """Return the plan of ``runs``."""
    return Plan(tuple(runs), train_and_save)


def train_and_save(run: Run, folder: Path, on_steps: OnSteps) -> pd.DataFrame:
    """Train ``run`` from its first step, save its weights in ``folder``, and return its result rows."""
    return save_trained(run, train(run, on_steps), folder)
