"""What a shipped translator writes with other sinusoids than its own, measured over held-out sentences."""

from pathlib import Path

import pandas as pd

from pretrained.translators import FOLDER

SWAPPED = FOLDER / "swapped_positions"


def swapped_path(name: str, folder: Path = SWAPPED) -> Path:
    """Return the file with what the translator ``name`` reaches with other positions."""
    return folder / f"{name}.parquet"


def swapped_positions(name: str, folder: Path = SWAPPED) -> pd.DataFrame:
    """Return BLEU of the translator ``name`` with one number of its sinusoids changed; empty where none was measured.

    ``change`` is which number of :class:`~model.analysis.swapped_positions.Swap`: ``base``, ``shift`` or ``strength``;
    ``value`` is what it is, and ``side`` where. The other columns say of what it is.

    Raises OSError or ValueError where the file cannot be read.
    """
    path = swapped_path(name, folder)
    return pd.read_parquet(path) if path.is_file() else pd.DataFrame()
