"""Tables that were measured of what ships, each a Parquet file."""

from pathlib import Path

import pandas as pd

from model.text.unsuitable_words import unsuitable_word


def read_table(path: Path) -> pd.DataFrame:
    """Return the table in ``path``; empty where nothing was measured.

    Raises OSError or ValueError where the file cannot be read.
    """
    return pd.read_parquet(path) if path.is_file() else pd.DataFrame()


def suitable(rows: pd.DataFrame, texts: pd.Series, language: str) -> pd.DataFrame:
    """Return ``rows`` without those whose text has a word of :mod:`model.text.unsuitable_words`."""
    is_shown = {text: unsuitable_word(text, language) is None for text in texts.unique()}
    return rows[texts.map(is_shown)]
