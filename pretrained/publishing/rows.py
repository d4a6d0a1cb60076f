"""Rows of results that are published anew."""

from collections.abc import Sequence

import pandas as pd


def merged_rows(before: pd.DataFrame, measured: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return the rows of ``measured``, and those ``before`` of runs that it lacks; ``keys`` together name a run."""
    if before.empty:
        return measured
    names = list(keys)
    is_new = before.set_index(names).index.isin(measured.set_index(names).index)
    return pd.concat([before[~is_new], measured], ignore_index=True)
