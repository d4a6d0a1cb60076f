"""Plans of sweeps as TOML files: configurations × variants × seeds, or a selection of the zoo.

A comparison names configuration files by their paths from its folder; each variant changes entries of all of them::

    configurations = ["../translation/configurations/translation-en-de-multi30k-tokens.toml"]
    seeds = [1, 2, 3]

    [[variants]]                         # may be left out
    name = "rotary"
    model.positional = { name = "rotary" }

    [[variants]]
    name = "smoothing-0.2"
    loss.label_smoothing = 0.2

A plan of the zoo has the table ``[zoo]`` with the entries of :class:`~model.training.zoo.plan.Selection`, and one that
tests C-RASP's predictions has ``[crasp]`` with those of :class:`~model.training.zoo.crasp.CraspSelection`.
"""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import torch

from model.checkpoint import load_state, n_parameters
from model.device import choose_device
from model.training.config import from_entries, read_toml
from model.training.history import read_history, remember, trained_by
from model.training.kinds import KINDS, Training, training_from_entries
from model.training.loop import CPU_SECONDS, OnSteps, read_log
from model.training.runs import Plan, SweepStoppedError
from model.training.zoo.crasp import CraspSelection
from model.training.zoo.plan import Selection, zoo_plan


@dataclass(frozen=True)
class Comparison:
    """Configuration files, by their paths from the plan's folder, and what varies: see the module."""

    configurations: tuple[str, ...]
    seeds: tuple[int, ...] = (1, 2, 3)
    variants: tuple[dict[str, Any], ...] = ({},)


@dataclass(frozen=True)
class ConfiguredRun:
    """A variant of a configuration with its seed, as a run of a plan."""

    variant: str
    training: Training

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"{self.variant}-{self.training.seed}"

    @property
    def n_steps(self) -> int:
        """The number of its steps."""
        return self.training.schedule.n_steps

    def to_json(self) -> str:
        """Return the variant and the whole configuration."""
        return json.dumps(dataclasses.asdict(self), indent=2) + "\n"


def read_plan(path: Path, *, data_dir: Path | None = None, device: str | None = None) -> Plan:
    """Return the plan in the TOML file ``path``, with corpora from ``data_dir``, on ``device``.

    Raises:
        ValueError: the file is no TOML, or an entry of it or of a configuration is missing, unknown or out of range.
        FileNotFoundError: there is no such plan, or no such configuration.
    """
    entries = read_toml(path)
    if "zoo" in entries:
        return zoo_plan(from_entries(Selection, entries["zoo"], "zoo").runs())
    if "crasp" in entries:
        return from_entries(CraspSelection, entries["crasp"], "crasp").plan()
    comparison = from_entries(Comparison, entries)
    runs = tuple(
        _configured(path.parent / configuration, variant, seed)
        for seed in comparison.seeds
        for configuration in comparison.configurations
        for variant in comparison.variants
    )
    if len({run.name for run in runs}) < len(runs):
        raise ValueError(f"{path} has two runs of one name; give each configuration and variant a name of its own")
    return Plan(runs, partial(train_configured, data_dir=data_dir, device=device or "cpu"))


def train_configured(
    run: ConfiguredRun, folder: Path, on_steps: OnSteps, *, data_dir: Path | None, device: str
) -> pd.DataFrame:
    """Train ``run`` in ``folder`` from where it stopped there, and measure its best weights.

    Returns:
        A row for each validation, and one for the "best" weights with what was measured of them; in all of them, the
        median of what a step took of a processor, in seconds.
    """
    kind, place = KINDS[run.training.kind], choose_device(device)
    trainer = kind.trainer(run.training, folder=folder, device=place, data_dir=data_dir)
    if not trainer.is_finished:
        remember(dataclasses.asdict(run.training), folder=folder, step=trainer.progress.step)
    try:
        on_steps(trainer.progress.step)
        trainer.run(on_steps)
    except SweepStoppedError:
        trainer.save()
        raise
    log, best = read_log(folder), load_state(folder / "best.pt")
    weights = best.pop("weights")
    shared = {
        "variant": run.variant,
        "seed": run.training.seed,
        "n_parameters": n_parameters(weights.values()),
        CPU_SECONDS: pd.Series([entry[CPU_SECONDS] for entry in log if CPU_SECONDS in entry], dtype=float).median(),
        "commit": trained_by(read_history(folder)),
        "torch": torch.__version__,
        "configuration": run.to_json(),
    }
    rows = [{"checkpoint": "during", **entry} for entry in log if "score" in entry]
    rows.append({"checkpoint": "best", **best, **kind.measure(folder, device=place, data_dir=data_dir)})
    return pd.DataFrame([row | shared for row in rows])


def _configured(path: Path, variant: Mapping[str, Any], seed: int) -> ConfiguredRun:
    name = f"{path.stem}-{variant['name']}" if "name" in variant else path.stem
    varied = {entry: value for entry, value in variant.items() if entry != "name"}
    return ConfiguredRun(name, training_from_entries(_changed(read_toml(path), varied), seed=seed))


def _changed(entries: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``entries`` of a configuration with single entries replaced by ``changes``."""
    return {**entries} | {
        name: {**entries.get(name, {}), **value} if isinstance(value, dict) else value
        for name, value in changes.items()
    }
