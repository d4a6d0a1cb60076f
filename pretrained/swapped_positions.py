"""What a shipped translator writes with other sinusoids than its own, measured over held-out sentences."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pandas as pd

from model.analysis.interventions.swapped_positions import Side, Swap
from pretrained.tables import read_table
from pretrained.translators import FOLDER

SWAPPED = FOLDER / "swapped_positions"

Change = Literal["base", "shift", "strength"]
CHANGES: Mapping[Change, tuple[float, ...]] = {
    "base": (2, 5, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 1_000_000),
    "shift": (0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000),
    "strength": (0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3),
}
"""What is changed, and the values that are measured."""


def swapped(change: Change, value: float, side: Side) -> Swap:
    """Return the sinusoids of ``side`` with one number changed to ``value``."""
    match change:
        case "base":
            return Swap(side, base=value)
        case "shift":
            return Swap(side, shift=int(value))
        case "strength":
            return Swap(side, strength=value)


def swapped_path(name: str) -> Path:
    """Return the file with what the translator ``name`` reaches with other positions."""
    return SWAPPED / f"{name}.parquet"


def swapped_positions(name: str) -> pd.DataFrame:
    """Return BLEU of the translator ``name`` with one number of its sinusoids changed; empty where none was measured.

    ``change`` and ``value`` are of :data:`CHANGES`, and ``side`` is where. The other columns say of what it is.

    Raises OSError or ValueError where the file cannot be read.
    """
    return read_table(swapped_path(name))
