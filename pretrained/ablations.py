"""What was measured of the runs of ``model/training/plans/ablations.toml``: the paper's table 3, trained here."""

from pathlib import Path

import pandas as pd

from pretrained.translators import FOLDER

RESULTS = FOLDER / "ablations" / "results.parquet"


def ablation_results(path: Path = RESULTS) -> pd.DataFrame:
    """Return the rows of every run that is finished; empty where none is published.

    A row is a run, which is a ``variant`` and a ``seed``, and a checkpoint: "during" training at ``step``, or "best",
    with what was measured of it.
    """
    return pd.read_parquet(path) if path.is_file() else pd.DataFrame()
