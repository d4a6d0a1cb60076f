"""A translation with changed positions, its mean cross-attention, and the cost over many sentences."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from model.analysis.interventions.swapped_positions import SIDES, Side, Swap, swap_edits
from model.decoding.translator import Translation
from pretrained.swapped_positions import CHANGES, Change
from viz.base.attention_maps import token_row
from viz.base.exports import rows_as_csv
from viz.pages.interventions.study.ablated import AblatedTranslation, AblationRequest, translate_edited
from viz.pages.interventions.study.maps import LabelledMap

_CROSS = "cross_attention.pattern"


@dataclass(frozen=True)
class Cost:
    """BLEU with changed positions over ``sentences``, by change and side, one value for each amount.

    The amounts are those of :data:`CHANGES`.
    """

    bleu: Mapping[tuple[Change, Side], Float[np.ndarray, " value"]]
    sentences: int

    @property
    def own(self) -> float:
        """BLEU with the model's own positions."""
        return float(self.bleu["strength", "both"][CHANGES["strength"].index(1)])

    def at(self, change: Change, value: float, side: Side) -> float:
        """Return BLEU with that change."""
        return float(self.bleu[change, side][CHANGES[change].index(value)])

    def as_csv(self) -> str:
        """Return all values as a table."""
        rows = [
            (change, f"{value:.12g}", side, f"{bleu:.2f}")
            for (change, side), of_values in self.bleu.items()
            for value, bleu in zip(CHANGES[change], of_values.tolist(), strict=True)
        ]
        return rows_as_csv(("change", "value", "side", "bleu"), rows)


def cost_of(rows: pd.DataFrame) -> Cost:
    """Return what :func:`~pretrained.swapped_positions.swapped_positions` returned.

    Raises:
        KeyError: a column or a row is missing.
    """
    places = zip(rows["change"], rows["side"], rows["value"], strict=True)
    bleu = dict(zip(places, rows["bleu"], strict=True))
    return Cost(
        {
            (change, side): np.array([bleu[change, side, float(value)] for value in values])
            for change, values in CHANGES.items()
            for side in SIDES
        },
        int(rows["sentences"].iloc[0]),
    )


def translate_swapped(asked: AblationRequest, swap: Swap) -> AblatedTranslation:
    """Return the translation with the positions of ``swap``.

    Raises:
        ValueError: the model adds something else than sinusoids.
    """
    return translate_edited(asked, swap_edits(asked.translator.model, swap))


def mean_map(translation: Translation) -> LabelledMap:
    """Return the mean over all heads of cross-attention while ``translation`` was written."""
    maps = [heads for name, heads in sorted(translation.patterns.items()) if name.endswith(_CROSS)]
    weights = np.concatenate(maps).mean(0)
    return LabelledMap(weights, token_row(translation.target).labels, token_row(translation.source).labels)
