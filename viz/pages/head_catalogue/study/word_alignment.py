"""Word alignment by a translator's cross-attention."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from model.analysis.maps.aligning_maps import Aligner, Weighing
from model.analysis.maps.alignment import STEPS, Step
from viz.base.claims import Claim, Claims
from viz.base.exports import rows_as_csv

EVERY = "all"
"""The part that holds all pairs."""


@dataclass(frozen=True)
class AlignmentErrors:
    """Alignment error rates of a translator.

    Attributes:
        gold: the set of links.
        sentences: over how many sentences.
        rates: by what aligns and the step at which it is read.
    """

    gold: str
    sentences: int
    rates: Mapping[tuple[Aligner, Step], float]

    @property
    def layers(self) -> tuple[int, ...]:
        """The layers, from 1."""
        return tuple(sorted({aligner.layer for aligner, _ in self.rates} - {0}))

    @property
    def n_heads(self) -> int:
        """The number of heads in a layer."""
        return max(aligner.head for aligner, _ in self.rates)

    def best(self, step: Step, weighing: Weighing, layer: int | None = None) -> Aligner:
        """Return the single head that aligns best at ``step``, of ``layer`` where that is given."""
        heads = [
            aligner
            for aligner, at in self.rates
            if aligner.head and (at, aligner.weighing) == (step, weighing) and layer in (None, aligner.layer)
        ]
        return min(heads, key=lambda head: self.rates[head, step])

    def best_mean(self, step: Step, weighing: Weighing) -> Aligner:
        """Return the mean over the heads of one layer that aligns best at ``step``."""
        means = [Aligner(layer, 0, weighing) for layer in self.layers]
        return min(means, key=lambda mean: self.rates[mean, step])

    def grid(self, weighing: Weighing) -> tuple[list[tuple[Step, int]], Float[np.ndarray, "row head"]]:
        """Return the rows, by step and layer, and the rates of their heads; the last column is the mean."""
        rows = [(step, layer) for step in STEPS for layer in self.layers]
        order = (*range(1, self.n_heads + 1), 0)
        return rows, np.array(
            [[self.rates[Aligner(layer, head, weighing), step] for head in order] for step, layer in rows]
        )

    def as_csv(self) -> str:
        """Return all rates as a table; head 0 is the mean of the layer, layer 0 that of all."""
        rows = [
            (aligner.layer, aligner.head, step, aligner.weighing, f"{rate:.6g}")
            for (aligner, step), rate in self.rates.items()
        ]
        return rows_as_csv(("layer", "head", "step", "weighing", "error"), rows)


def reading(alignment: AlignmentErrors) -> Claim:
    """Return whether only first-layer heads align better at the step that reads a word.

    Kobayashi et al. (2020) report this.
    """
    heads = [one for one, step in alignment.rates if one.head and one.weighing == "weights" and step == "input"]
    like = {one for one in heads if alignment.rates[one, "input"] < alignment.rates[one, "output"]}
    first = {one for one in heads if one.layer == 1}
    values = {"first": len(like & first), "n": len(first), "like": len(like - first), "later": len({*heads} - first)}
    return Claim(like <= first and bool(like), values)


def parts_of(errors: pd.DataFrame) -> tuple[str, ...]:
    """Return the parts that ``errors`` has rates of, all pairs first.

    Raises:
        KeyError: a column is missing.
    """
    return tuple(sorted({*errors["part"]}, key=lambda part: (part != EVERY, part)))


def alignment_of(errors: pd.DataFrame, part: str = EVERY) -> AlignmentErrors:
    """Return what :func:`~pretrained.head_catalogue.alignment_errors` returned of ``part``.

    Raises:
        KeyError: a column or a row is missing.
    """
    rows = errors[errors["part"] == part].to_dict("records")
    if not rows:
        raise KeyError(part)
    return AlignmentErrors(
        rows[0]["gold"],
        int(rows[0]["sentences"]),
        {
            (Aligner(int(row["layer"]), int(row["head"]), row["weighing"]), row["step"]): float(row["error"])
            for row in rows
        },
    )


COMPUTED_CLAIMS: Claims = {("pages/head_catalogue/word_alignment", "claim reading"): reading}
