"""The runs of a sweep and their folders: a run is finished when its folder has its name."""

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import pandas as pd

from model.files import UNFINISHED, replace_file, write_text
from model.training.loop import OnSteps

RESULTS = "results.parquet"
RUN, ROWS = "run.json", "rows.parquet"


@runtime_checkable
class RunSpec(Protocol):
    """A run of a plan: a frozen description, which can be pickled."""

    @property
    def name(self) -> str:
        """The name of its folder, which no other run of the plan has."""
        ...

    @property
    def n_steps(self) -> int:
        """The number of its steps."""
        ...

    def to_json(self) -> str:
        """Return everything that decides what the run comes to."""
        ...


Train = Callable[[Any, Path, OnSteps], pd.DataFrame]
"""Trains a run in a folder, continues what is there if it can, and returns the rows of its results.

It tells the steps it has taken, between two of them; a :class:`SweepStoppedError` from there ends it.
"""


@dataclass(frozen=True)
class Plan:
    """The runs of a sweep, in their order, and the function that trains each; it can be pickled."""

    runs: tuple[RunSpec, ...]
    train: Train


class SweepStoppedError(Exception):
    """The sweep that a run belongs to was stopped."""


def unfinished(runs: Sequence[RunSpec], folder: Path) -> list[RunSpec]:
    """Return those of ``runs`` that are not finished in ``folder``.

    Raises:
        ValueError: ``folder`` holds a run of the same name by another configuration.
    """
    for run in runs:
        for place in (folder / run.name, _draft(run, folder)):
            if (place / RUN).is_file() and not _is_of(run, place):
                raise ValueError(
                    f"{place} holds a run by another configuration; sweep into another folder, or delete it"
                )
    return [run for run in runs if not is_finished(run, folder)]


def is_finished(run: RunSpec, folder: Path) -> bool:
    """Whether ``run`` is finished in ``folder``, by this very configuration."""
    return _is_of(run, folder / run.name)


def finish(run: RunSpec, folder: Path, train: Callable[[Path], pd.DataFrame]) -> None:
    """Train ``run`` beside its place in ``folder``, and move it there once it is whole.

    A folder of its name is therefore a finished run, whatever was killed when.
    """
    draft = _draft(run, folder)
    draft.mkdir(parents=True, exist_ok=True)
    with _locked(draft):
        if is_finished(run, folder):
            return
        write_text(run.to_json(), draft / RUN)
        train(draft).to_parquet(draft / ROWS, index=False)
        draft.rename(folder / run.name)


def collect(folder: Path) -> pd.DataFrame:
    """Write the rows of all finished runs in ``folder`` into its results file, and return them."""
    rows = finished_rows(folder)
    replace_file(folder / RESULTS, lambda unfinished: rows.to_parquet(unfinished, index=False))
    return rows


def finished_rows(folder: Path) -> pd.DataFrame:
    """Return the rows of all finished runs in ``folder``; empty where there is none."""
    tables = [pd.read_parquet(run / ROWS) for run in finished_folders(folder)]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def finished_folders(folder: Path) -> list[Path]:
    """Return the folders of all finished runs in ``folder``, by name; none where it does not exist."""
    return sorted(path.parent for path in folder.glob(f"*/{ROWS}") if path.parent.suffix != UNFINISHED)


def _draft(run: RunSpec, folder: Path) -> Path:
    return folder / f"{run.name}{UNFINISHED}"


def _is_of(run: RunSpec, place: Path) -> bool:
    path = place / RUN
    return path.is_file() and json.loads(path.read_text(encoding="utf-8")) == json.loads(run.to_json())


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Wait until no other process trains in ``folder``, as one of a killed sweep may."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
