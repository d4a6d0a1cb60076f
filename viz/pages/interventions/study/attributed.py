"""Attribution of a translated token against a foil to a decoder's parts, as rows of a picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal

import numpy as np
import torch

from model.analysis.interventions.ablation import DECODER_POSITIONS, Part
from model.analysis.interventions.direct_attribution import EMBEDDING, DirectAttribution, direct_attribution
from model.decoding.search import Pattern
from model.decoding.translator import Translation, Translator
from viz.base.attention_maps import token_row
from viz.base.exports import rows_as_csv
from viz.base.tokens import label_alone
from viz.pages.interventions.study.foils import N_FOILS, first_token

Writer = Literal["token", "position", "decoder", "cross", "feed-forward", "bias"]
_ATTENTION: dict[str, Writer] = {"self_attention": "decoder", "cross_attention": "cross"}


@dataclass(frozen=True)
class HeadShare:
    """Contribution of a head to a token, and the token with its largest weight, with that weight."""

    contribution: float
    reads: str
    weight: float


@dataclass(frozen=True)
class AttributionRow:
    """A block, or what else is added: ``layer`` counts from 1, and is 0 where there is none.

    ``heads`` are those of an attention block; ``total`` is what all of the row says for the token.
    """

    writer: Writer
    layer: int
    total: float
    heads: tuple[HeadShare, ...] = ()


@dataclass(frozen=True)
class ShownAttribution:
    """Attribution of ``token`` against ``foil`` at ``step``, from 1, with the probabilities of both.

    ``difference`` is that of their logits in the run itself, which the totals of ``rows`` sum to.
    """

    step: int
    token: str
    foil: str
    probabilities: tuple[float, float]
    difference: float
    rows: tuple[AttributionRow, ...]

    @property
    def total(self) -> float:
        """The sum of all rows."""
        return sum(row.total for row in self.rows)

    def strongest(self) -> tuple[AttributionRow, int]:
        """Return the row and the number, from 1, of the head that says most for the token."""
        heads = [(row, number) for row in self.rows for number in range(1, len(row.heads) + 1)]
        return max(heads, key=lambda place: place[0].heads[place[1] - 1].contribution)


class Attribution:
    """Attribution of every token of ``translation``."""

    def __init__(self, translator: Translator, translation: Translation) -> None:
        """Read the model once, at all steps.

        Raises:
            NotASumError: a model whose parts cannot be told apart like this.
        """
        self._tokenizer = translator.tokenizer
        self._patterns: Mapping[str, Pattern] = translation.patterns
        self.read = token_row(translation.read).labels
        self._keys = {
            "self_attention": self.read,
            "cross_attention": token_row(translation.source).labels,
        }
        self.target = translation.hypotheses[0].tokens
        self.written = token_row(translation.target).labels
        source = translator.tokenizer.ids(translation.source.pieces)
        self._attribution: DirectAttribution = direct_attribution(translator.model, source, self.target)

    @cached_property
    def opening_step(self) -> int:
        """The step, from 1, with the largest contribution of one head for its token against the runner-up.

        If there is any, it is a step that writes a word.
        """
        heads = torch.tensor([part.head is not None for part in self._attribution.parts])
        most = [
            self._attribution.contributions(step, token, self.foils(step + 1, 1)[0])[heads].max()
            for step, token in enumerate(self.target)
        ]
        is_word = torch.tensor([any(map(str.isalpha, label)) and label[0] != "⟨" for label in self.written])
        strongest = torch.stack(most)
        return int(strongest.where(is_word | ~is_word.any(), -torch.inf).argmax()) + 1

    def foils(self, step: int, n: int = N_FOILS) -> tuple[int, ...]:
        """Return the most probable tokens at ``step``, from 1, but for the one that was written there."""
        logits, token = self._attribution.logits[step - 1], self.target[step - 1]
        best = logits.topk(min(n + 1, len(logits))).indices.tolist()
        return tuple(one for one in best if one != token)[:n]

    def label(self, token: int) -> str:
        """Return a label for ``token`` alone."""
        return label_alone(self._tokenizer.pieces([token])[0])

    def token_of(self, word: str, step: int) -> int:
        """Return the first token of ``word``, to set against the one at ``step``, from 1.

        Raises:
            ValueError: the model has none, or it is the written one.
        """
        return first_token(self._tokenizer, word, unlike=self.target[step - 1])

    def shown(self, step: int, foil: int) -> ShownAttribution:
        """Return why the token at ``step``, from 1, was written there rather than ``foil``."""
        attribution, token = self._attribution, self.target[step - 1]
        values = zip(attribution.parts, attribution.contributions(step - 1, token, foil).tolist(), strict=True)
        rows = [self._row(step, list(group)) for _, group in groupby(values, key=lambda value: value[0].point)]
        probabilities = attribution.logits[step - 1].softmax(0)
        return ShownAttribution(
            step,
            self.label(token),
            self.label(foil),
            (float(probabilities[token]), float(probabilities[foil])),
            attribution.difference(step - 1, token, foil),
            (*rows, AttributionRow("bias", 0, attribution.of_bias(token, foil))),
        )

    def _row(self, step: int, values: list[tuple[Part, float]]) -> AttributionRow:
        """Return the row of parts that share a hook point."""
        point = values[0][0].point
        total = sum(value for _, value in values)
        if point in (EMBEDDING, DECODER_POSITIONS):
            return AttributionRow("token" if point == EMBEDDING else "position", 0, total)
        _, layer, block, _ = point.split(".")
        if block == "feed_forward":
            return AttributionRow("feed-forward", int(layer) + 1, total)
        pattern = self._patterns[point.removesuffix("z") + "pattern"][:, step - 1]  # [H, K]
        heads = tuple(
            HeadShare(value, self._keys[block][int(weights.argmax())], float(weights.max()))
            for (_, value), weights in zip(values, np.asarray(pattern), strict=True)
        )
        return AttributionRow(_ATTENTION[block], int(layer) + 1, total, heads)


def attribution_as_csv(shown: ShownAttribution) -> str:
    """Return a table of every part, then their sum and the difference in the run."""
    rows: list[list[object]] = []
    for row in shown.rows:
        where = [row.writer, row.layer or ""]
        if row.heads:
            rows += [
                [*where, number, f"{head.contribution:.6g}", head.reads, f"{head.weight:.6g}"]
                for number, head in enumerate(row.heads, start=1)
            ]
        else:
            rows.append([*where, "", f"{row.total:.6g}", "", ""])
    rows += [
        [name, "", "", f"{value:.6g}", "", ""]
        for name, value in (("sum", shown.total), ("difference of the logits", shown.difference))
    ]
    return rows_as_csv(["part", "layer", "head", f"{shown.token} − {shown.foil}", "reads", "weight"], rows)
