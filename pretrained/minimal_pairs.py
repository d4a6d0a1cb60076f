"""Minimal pairs of ten phenomena from English to German, and the parts of a translator that tell their words apart."""

import pandas as pd

from pretrained.tables import read_table
from pretrained.translators import FOLDER

MINIMAL_PAIRS = FOLDER / "minimal_pairs"
PAIRS, CIRCUITS = "pairs.parquet", "circuits.parquet"
TRANSLATOR = "translation-en-de"
"""The translator that the pairs are kept for."""
PHENOMENA = (
    *("gender", "number", "negation", "verb-end", "relative"),
    *("roles", "tense", "name", "distance", "question"),
)
"""What the pairs are about, by the names of their templates."""


def minimal_pairs() -> pd.DataFrame:
    """Return a row for each pair that the translator is right on; empty where none ship.

    ``template`` is the phenomenon. What follows is there twice, ending in ``_clean`` and ``_corrupted``: the
    ``source``, the ``written`` tokens of its translation before the first one in which the two differ, that ``token``,
    and the ``word`` that it is in. The first tokens were given where ``begun`` has text. ``is_shown`` says that a beam
    search without such a beginning writes the same of the clean source, and ``half`` what the pair is for: "chosen"
    where it chose heads, "held out" where they were then switched off.

    Raises OSError or ValueError where the file cannot be read.
    """
    return read_table(MINIMAL_PAIRS / PAIRS)


def mean_circuits() -> pd.DataFrame:
    """Return what parts add to a logit difference, by template, and what is right without some; empty where none ship.

    ``measure`` says of what a row is. ``part`` is a head of the attention at ``point``, from 0, or with -1 all hidden
    units there: the mean ``share`` that it adds to the difference of the clean source, counted from its mean over a
    corpus, with patterns, gates and norm scales held, and the share ``patched``, by which the difference goes over to
    that of the corrupted source with its values there, not a number where the pairs do not align. ``low`` and ``high``
    hold 95 % of bootstrap draws of pairs.

    ``without`` has heads at their means at every position, on held-out pairs: the share ``right`` of sentences in which
    the right token is still ahead of the other one, by how much it is on average (``difference``), and the share of
    pairs with ``both`` right. ``off`` names the heads: "none", the five "strongest", as many at "random" (of ten
    draws the mean) or "one", that at ``point``; a row of the measure ``strongest`` names each of the five. ``pairs``
    counts those of the row; the other columns say of what it is.

    Raises OSError or ValueError where the file cannot be read.
    """
    return read_table(MINIMAL_PAIRS / CIRCUITS)
