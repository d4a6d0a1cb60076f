"""The attention of one translation between its tokens, and two such maps as a table."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from viz.base.exports import rows_as_csv


@dataclass(frozen=True)
class LabelledMap:
    """A pattern, or the mean of several, with the tokens of its sides.

    A decoder's row is the token that it writes.
    """

    weights: Float32[np.ndarray, "query key"]
    queries: tuple[str, ...]
    keys: tuple[str, ...]


def maps_as_csv(maps: Mapping[str, LabelledMap], headings: tuple[str, str, str]) -> str:
    """Return ``maps`` as a table, a row a weight.

    ``headings`` are those of their names, of queries and of keys.
    """
    rows = [
        (name, query + 1, shown.queries[query], key + 1, shown.keys[key], f"{weight:.9g}")
        for name, shown in maps.items()
        for (query, key), weight in np.ndenumerate(shown.weights)
    ]
    name, query, key = headings
    return rows_as_csv((name, "row", query, "column", key, "weight"), rows)
