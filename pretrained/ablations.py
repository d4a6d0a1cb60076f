"""What was measured of the runs of ``model/training/plans/ablations.toml``: the paper's table 3, trained here."""

import math
from pathlib import Path

import pandas as pd

from pretrained.translators import FOLDER

RESULTS = FOLDER / "ablations" / "results.parquet"
CPU_SECONDS = "cpu_seconds_per_step"
STEP_SECONDS = FOLDER / "ablations" / "step_seconds.parquet"


def ablation_results(path: Path = RESULTS, step_seconds: Path = STEP_SECONDS) -> pd.DataFrame:
    """Return the rows of every run that is finished; empty where none is published.

    A row is a run, which is a ``variant`` and a ``seed``, and a checkpoint: "during" training at ``step``, or "best",
    with what was measured of it; ``cpu_seconds_per_step`` is what a step of the variant takes in one thread of one
    machine, where that was measured.
    """
    if not path.is_file():
        return pd.DataFrame()
    rows = pd.read_parquet(path)
    if not step_seconds.is_file():
        return rows.assign(**{CPU_SECONDS: math.nan})
    seconds = pd.read_parquet(step_seconds).set_index("variant")[CPU_SECONDS]
    return rows.assign(**{CPU_SECONDS: rows.variant.map(seconds)})
