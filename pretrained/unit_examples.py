"""The places in held-out sentences that excite each hidden unit of a shipped translator most."""

from pathlib import Path

import pandas as pd

from pretrained.tables import read_table
from pretrained.translators import FOLDER

UNIT_EXAMPLES = FOLDER / "unit_examples"


def unit_examples_path(name: str) -> Path:
    """Return the file with the examples of the translator ``name``."""
    return UNIT_EXAMPLES / f"{name}.parquet"


def unit_examples(name: str) -> pd.DataFrame:
    """Return a row for each of the strongest places of every hidden unit; empty where none ship.

    ``point`` is the hook point of the unit and ``unit`` its number, from 0. The sentence is ``before``, the token's own
    ``text`` and ``after``; ``piece`` is that token. The strongest ``activation`` of a unit comes first.

    Raises OSError or ValueError where the file cannot be read.
    """
    return read_table(unit_examples_path(name))
