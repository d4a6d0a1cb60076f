"""How faithful the strongest heads and hidden units of a shipped translator are, over held-out sentences."""

from pathlib import Path

import pandas as pd

from pretrained.tables import read_table
from pretrained.translators import FOLDER

CIRCUITS = FOLDER / "circuits"


def circuits_path(name: str) -> Path:
    """Return the file with what was measured of the translator ``name``."""
    return CIRCUITS / f"{name}.parquet"


def circuit_checks(name: str) -> pd.DataFrame:
    """Return what becomes of a written word's logit above the runner-up's; empty where nothing was measured.

    ``measure`` says of what a row is: ``without`` the ``n`` nodes that speak most for the word, its median ``value``
    and the share of words ``flipped``; ``only`` the strongest ``share`` of all active nodes, the mean faithfulness
    ``value``. Of both, ``stays`` is the share of words that stay the most probable one. ``area`` is that of
    faithfulness over shares (``CPR``) or of its distance from 1 (``CMD``); ``whole`` is with nothing off; ``alone``, by
    how much the effect of one of the ten strongest, really off, differs from that in the held network, as the median
    share of the latter. ``method`` ranks the nodes; ``random`` are as many of each block as the strongest have there.
    ``by`` is zero or the mean, which takes the place of what is off. ``low`` and ``high`` hold 95 % of bootstrap draws
    of sentences. The other columns say of what it is.

    Raises OSError or ValueError where the file cannot be read.
    """
    return read_table(circuits_path(name))
