"""How many heads a shipped translator needs, measured over held-out sentences."""

from pathlib import Path

import pandas as pd

from pretrained.tables import read_table
from pretrained.translators import FOLDER

PRUNING = FOLDER / "head_pruning"


def pruning_path(name: str) -> Path:
    """Return the file with what the translator ``name`` loses without heads."""
    return PRUNING / f"{name}.parquet"


def sentences_path(name: str) -> Path:
    """Return the file with a few sentences, and what two heads of ``name`` are worth to each."""
    return PRUNING / f"{name}-sentences.parquet"


def head_pruning(name: str) -> pd.DataFrame:
    """Return a row for each choice of heads that ``name`` was measured without; empty where none was.

    ``choice`` says which: the ``whole`` model; one head removed alone, by ``zero`` or by its ``mean``; this and all
    heads that go before it, in the order of their ``importance`` or of the ``loss``; all heads of its block but it
    (``only``). ``kind``, ``layer`` and ``head``, from 1, name that head. ``n_left`` counts the heads left; ``loss`` is
    in nats a token; ``bleu`` is not a number where it was not measured. The other columns say of what it is.

    Raises OSError or ValueError where the file cannot be read.
    """
    return read_table(pruning_path(name))


def pruning_sentences(name: str) -> pd.DataFrame:
    """Return a few held-out pairs by ``source`` and ``target``, each with its ``loss`` without one head at zero.

    ``kind``, ``layer`` and ``head`` name that head. Empty where the corpus may not be passed on.
    """
    return read_table(sentences_path(name))
