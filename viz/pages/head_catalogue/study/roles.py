"""The heads of a translator by what they do, as a table and as a grid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from viz.base.attention_maps import BLOCKS, BlockName
from viz.base.exports import rows_as_csv

MEASURES = (
    *("offset_share", "previous", "same", "next", "first", "last", "sink", "marks"),
    *("rare", "duplicate", "induction", "confidence", "entropy", "distance"),
)
SHARES = frozenset(MEASURES) - {"entropy", "distance"}
"""The measures that lie between 0 and 1."""
POSITIONAL = 0.9
"""The share of places at one relative position from which on a head is positional (Voita et al. 2019, §3)."""


@dataclass(frozen=True)
class CatalogueHead:
    """A head: its attention, layer and number from 1, and its measures, NaN where one does not apply.

    ``offset`` is the relative position that its largest weight falls on most often.
    """

    kind: BlockName
    layer: int
    number: int
    values: Mapping[str, float]
    offset: int

    @property
    def code(self) -> str:
        """Its id in a link: kind.layer.head."""
        return f"{self.kind}.{self.layer}.{self.number}"


@dataclass(frozen=True)
class Catalogue:
    """Every head of a translator, and over how many sentences each was measured."""

    heads: tuple[CatalogueHead, ...]
    sentences: int

    def ranked(self, measure: str) -> list[CatalogueHead]:
        """Return the heads that ``measure`` applies to, the highest first."""
        known = [head for head in self.heads if not np.isnan(head.values[measure])]
        return sorted(known, key=lambda head: -head.values[measure])

    def positional(self) -> list[CatalogueHead]:
        """Return the heads that are positional by the rule of Voita et al."""
        return [head for head in self.heads if head.values["offset_share"] >= POSITIONAL]


def catalogue_of(rows: pd.DataFrame) -> Catalogue:
    """Return the heads of ``rows``, as :func:`~pretrained.head_catalogue.head_roles` returns them.

    Raises:
        KeyError: a column is missing.
    """
    records = rows.to_dict("records")
    heads = tuple(
        CatalogueHead(
            row["kind"],
            int(row["layer"]),
            int(row["head"]),
            {measure: float(row[measure]) for measure in MEASURES},
            int(row["offset"]),
        )
        for row in records
    )
    return Catalogue(heads, int(records[0]["sentences"]) if records else 0)


def grid(heads: Sequence[CatalogueHead], measure: str) -> tuple[list[tuple[BlockName, int]], np.ndarray]:
    """Return the rows, by attention and layer, that ``measure`` applies to, and its values [row, head]."""
    places = sorted({(head.kind, head.layer) for head in heads}, key=lambda place: (BLOCKS.index(place[0]), place[1]))
    values = np.full((len(places), max(head.number for head in heads)), np.nan)
    for head in heads:
        values[places.index((head.kind, head.layer)), head.number - 1] = head.values[measure]
    known = ~np.isnan(values).all(1)
    return [place for place, shown in zip(places, known, strict=True) if shown], values[known]


def as_csv(catalogue: Catalogue) -> str:
    """Return every measure of every head as a table."""
    headings = ["kind", "layer", "head", *MEASURES, "offset"]
    return rows_as_csv(
        headings,
        [
            [head.kind, head.layer, head.number, *(f"{head.values[name]:.6g}" for name in MEASURES), head.offset]
            for head in catalogue.heads
        ],
    )
