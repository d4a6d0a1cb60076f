"""The places in held-out sentences that excite each hidden unit of a shipped translator most."""

from pathlib import Path

import pandas as pd

from pretrained.tables import read_table, suitable
from pretrained.translators import FOLDER

UNIT_EXAMPLES = FOLDER / "unit_examples"


def unit_examples_path(name: str) -> Path:
    """Return the file with the examples of the translator ``name``."""
    return UNIT_EXAMPLES / f"{name}.parquet"


def unit_examples(name: str) -> pd.DataFrame:
    """Return a row for each of the strongest places of every hidden unit; empty where none ship.

    ``point`` is the hook point of the unit and ``unit`` its number, from 0. The sentence is ``before``, the token's own
    ``text`` and ``after``; ``piece`` is that token. The strongest ``activation`` of a unit comes first.
    Sentences that are not shown unasked are left out (:mod:`model.text.unsuitable_words`).

    Raises OSError or ValueError where the file cannot be read.
    """
    rows = read_table(unit_examples_path(name))
    if rows.empty:
        return rows
    source, target = name.split("-")[1:3]
    is_source = rows["point"].str.startswith("encoder")
    parts = (rows[is_source], source), (rows[~is_source], target)
    return pd.concat(
        [suitable(part, part["before"] + part["text"] + part["after"], language) for part, language in parts],
        ignore_index=True,
    )
