"""Mean circuits of phenomena: effects of a translator's parts, example pairs, ablated accuracy."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from model.analysis.interventions.ablation import Part
from viz.base.exports import rows_as_csv
from viz.pages.interventions.study.parts import Switch, switch_of

SHOWN = 0.07
"""A part with a smaller share of every phenomenon has no column."""
_N_EXAMPLES = 4


@dataclass(frozen=True)
class Shares:
    """Effects of parts on the logit differences of phenomena, as shares of these.

    Attributes:
        phenomena: the rows.
        parts: the columns, heads first and then the hidden units of layers.
        values: the shares.
        low: the lower end of 95 % of bootstrap draws of pairs.
        high: the upper end.
        patched: the share that goes over to the corrupted source's, really; not a number where pairs do not align.
    """

    phenomena: tuple[str, ...]
    parts: tuple[Switch, ...]
    values: Float[np.ndarray, "phenomenon part"]
    low: Float[np.ndarray, "phenomenon part"]
    high: Float[np.ndarray, "phenomenon part"]
    patched: Float[np.ndarray, "phenomenon part"]

    def strongest(self, phenomenon: str) -> Switch:
        """Return the head with the largest share of ``phenomenon``."""
        values = self.values[self.phenomena.index(phenomenon)]
        return max(zip(self.parts, values, strict=True), key=lambda one: (one[0].sort == "head", one[1]))[0]

    def value(self, phenomenon: str, part: Switch) -> float:
        """Return the share of ``part`` in ``phenomenon``."""
        return float(self.values[self.phenomena.index(phenomenon), self.parts.index(part)])


@dataclass(frozen=True)
class ExamplePair:
    """An example pair; at ``step``, from 1, the translation of the ``clean`` source writes ``word``."""

    clean: str
    corrupted: str
    word: str
    other_word: str
    step: int


def all_shares(circuits: pd.DataFrame) -> Shares:
    """Return the shares of all parts, from the rows of :func:`pretrained.minimal_pairs.mean_circuits`."""
    rows = circuits[circuits["measure"] == "part"]
    phenomena = tuple(dict.fromkeys(rows["template"]))
    places = [*dict.fromkeys(zip(rows["point"], rows["head"].astype(int), strict=True))]

    def table(column: str) -> Float[np.ndarray, "phenomenon part"]:
        return np.asarray(rows[column]).reshape(len(phenomena), len(places))

    return Shares(
        phenomena,
        tuple(switch_of(Part(point, None if head < 0 else head)) for point, head in places),
        *map(table, ("share", "low", "high", "patched")),
    )


def shown_shares(shares: Shares) -> Shares:
    """Return ``shares`` without the parts that add little to all phenomena."""
    places = np.flatnonzero(np.abs(shares.values).max(axis=0) >= SHOWN)
    tables = (table[:, places] for table in (shares.values, shares.low, shares.high, shares.patched))
    return Shares(shares.phenomena, tuple(shares.parts[place] for place in places), *tables)


def without(circuits: pd.DataFrame, phenomenon: str) -> Mapping[str, pd.Series]:
    """Return what is right with heads off, by the word for these; ``one`` is the strongest head alone."""
    rows = circuits[circuits["template"] == phenomenon]
    first = rows[rows["measure"] == "strongest"].iloc[0]
    is_first = (rows["point"] == first["point"]) & (rows["head"] == first["head"])
    rows = rows[(rows["measure"] == "without") & ((rows["off"] != "one") | is_first)]
    return {str(row["off"]): row for _, row in rows.iterrows()}


def strongest_heads(circuits: pd.DataFrame) -> Mapping[str, tuple[Switch, ...]]:
    """Return the heads that were switched off, by phenomenon."""
    rows = circuits[circuits["measure"] == "strongest"]
    return {
        str(name): tuple(
            switch_of(Part(point, int(head))) for point, head in zip(group["point"], group["head"], strict=True)
        )
        for name, group in rows.groupby("template", sort=False)
    }


def examples(pairs: pd.DataFrame, phenomenon: str) -> tuple[ExamplePair, ...]:
    """Return pairs of ``phenomenon`` whose clean source the translator translates as in the pair."""
    rows = pairs[(pairs["template"] == phenomenon) & pairs["is_shown"]].drop_duplicates("source_clean")
    return tuple(
        ExamplePair(
            row["source_clean"],
            row["source_corrupted"],
            row["word_clean"],
            row["word_corrupted"],
            len(row["written_clean"]) + 1,
        )
        for row in rows.head(_N_EXAMPLES).to_dict("records")
    )


def shares_as_csv(shares: Shares) -> str:
    """Return a table of every share."""
    tables = shares.values, shares.low, shares.high, shares.patched
    rows = [
        [phenomenon, part.code, *(f"{table[row, column]:.4f}" for table in tables)]
        for row, phenomenon in enumerate(shares.phenomena)
        for column, part in enumerate(shares.parts)
    ]
    return rows_as_csv(["phenomenon", "part", "share", "low", "high", "patched"], rows)
