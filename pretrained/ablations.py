"""What was measured of the runs of ``model/training/plans/ablations.toml``: the paper's table 3, trained here."""

import math
from pathlib import Path

import pandas as pd

from pretrained.tables import read_table
from pretrained.translators import FOLDER

RESULTS = FOLDER / "ablations" / "results.parquet"
LONGER = FOLDER / "ablations" / "longer.parquet"
"""Results of the rows that were trained four times as long, by ``model/training/plans/ablations_longer.toml``."""
CPU_SECONDS = "cpu_seconds_per_step"
STEP_SECONDS = FOLDER / "ablations" / "step_seconds.parquet"
SEED_CIRCUITS = FOLDER / "ablations" / "seed_circuits.parquet"


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


def seed_circuits() -> pd.DataFrame:
    """Return what parts of the base add to words of captions, in trainings from several seeds; empty before.

    ``measure`` says of what a row is. A ``part`` of the training with ``seed`` is a head of the attention at ``point``,
    from 0, or with -1 all hidden units there: the mean of what it adds to the logit of a word above that of the
    runner-up, whichever way it acts, counted from its mean over the captions, with patterns, gates and norm scales
    held, as a ``share`` of the sum over all parts; ``first_half`` and ``second_half`` are the same of every other word.
    A ``match`` says which head of ``other_seed`` a head of ``seed`` is matched with, one to one within its block: the
    ``overlap`` of the two is the weight that both put on the same keys of the same captions, from 0 to 1, and
    ``overlap_of_all`` the mean of those of the head with all heads of the other's block. ``words`` counts the words,
    one a caption.

    Raises OSError or ValueError where the file cannot be read.
    """
    return read_table(SEED_CIRCUITS)
