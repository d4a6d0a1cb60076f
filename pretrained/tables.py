"""Tables that were measured of what ships, each a Parquet file."""

from pathlib import Path

import pandas as pd


def read_table(path: Path) -> pd.DataFrame:
    """Return the table in ``path``; empty where nothing was measured.

    Raises OSError or ValueError where the file cannot be read.
    """
    return pd.read_parquet(path) if path.is_file() else pd.DataFrame()
