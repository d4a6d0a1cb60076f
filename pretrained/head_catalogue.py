"""What every head of a shipped translator does, measured over held-out sentences."""

from pathlib import Path

import pandas as pd

from pretrained.tables import read_table, suitable
from pretrained.translators import FOLDER

CATALOGUE = FOLDER / "head_catalogue"


def roles_path(name: str) -> Path:
    """Return the file with a row for each head of the translator ``name``."""
    return CATALOGUE / f"{name}.parquet"


def examples_path(name: str) -> Path:
    """Return the file with the sentences in which each head of ``name`` does a thing most and least."""
    return CATALOGUE / f"{name}-sentences.parquet"


def alignment_path(name: str) -> Path:
    """Return the file with how well the cross-attention of ``name`` aligns words."""
    return CATALOGUE / f"{name}-alignment.parquet"


def head_roles(name: str) -> pd.DataFrame:
    """Return a row for each head of ``name``: kind, layer and head from 1, its measures, and of what they are.

    Empty where none was measured. Raises OSError or ValueError where the file cannot be read.
    """
    return read_table(roles_path(name))


def head_examples(name: str) -> pd.DataFrame:
    """Return sentences of ``name`` by kind, layer, head and measure, and the value there; ``is_most`` or else least.

    Sentences that are not shown unasked are left out (:mod:`model.text.unsuitable_words`).
    """
    rows = read_table(examples_path(name))
    if rows.empty:
        return rows
    return suitable(rows, rows.text, name.split("-")[1]).reset_index(drop=True)


def alignment_errors(name: str) -> pd.DataFrame:
    """Return alignment error rates of ``name`` by layer, head (0: the mean), step and weighing; empty without gold."""
    return read_table(alignment_path(name))
