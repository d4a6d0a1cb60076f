"""Comparison of two translations for display: labels beside numbers, and all of it as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from model.analysis.interventions.contrast import contrast
from model.decoding.translator import MAX_SOURCE_TOKENS, Translation, Translator
from model.text.tokenizer import Tokenizer
from viz.base.exports import rows_as_csv
from viz.base.tokens import piece_labels
from viz.base.words import InputError

# Both translations are scored once without each token of the source: work that grows with the square of its length.
MOST_SOURCE_TOKENS = 80


class OtherTargetError(InputError):
    """A text that a translation cannot be compared with."""


@dataclass(frozen=True)
class Side:
    """One of two targets: a label for each token, EOS included, and its log-probability in nats."""

    labels: tuple[str, ...]
    log_probabilities: Float[np.ndarray, " token"]

    @property
    def total(self) -> float:
        """Log-probability of the whole."""
        return float(self.log_probabilities.sum())


@dataclass(frozen=True)
class ShownContrast:
    """Two targets of one source, and what each source token has to do with the difference, in nats.

    ``gradient`` and ``left_out`` are those of :class:`~model.analysis.interventions.contrast.Contrast`.
    """

    this: Side
    other: Side
    source: tuple[str, ...]
    gradient: Float[np.ndarray, " source"]
    left_out: Float[np.ndarray, " source"]

    @property
    def difference(self) -> float:
        """By how much the log-probability of this one is the higher."""
        return self.this.total - self.other.total

    @property
    def n_shared(self) -> int:
        """Number of tokens, from the first on, that both have."""
        pairs = zip(self.this.labels, self.other.labels, strict=False)
        return next((place for place, (one, other) in enumerate(pairs) if one != other), 0)

    def as_csv(self) -> str:
        """Return a table of every token of the source and of both targets."""
        rows: list[Sequence[object]] = [
            ["source", place, label, "", *(f"{value:.6g}" for value in pair)]
            for place, (label, *pair) in enumerate(zip(self.source, self.gradient, self.left_out, strict=True), start=1)
        ]
        for name, side in (("this", self.this), ("other", self.other)):
            tokens = zip(side.labels, side.log_probabilities, strict=True)
            rows += [
                [name, place, label, f"{value:.6g}", "", ""] for place, (label, value) in enumerate(tokens, start=1)
            ]
        return rows_as_csv(["row", "place", "token", "log-probability", "gradient", "left out"], rows)


def shown_contrast(translator: Translator, translation: Translation, other: str) -> ShownContrast:
    """Return what tells ``translation`` from the text ``other``.

    Raises:
        OtherTargetError: there is no token in ``other``, too many, or it is the same text; the source has too many.
    """
    tokenizer, eos = translator.tokenizer, translator.model.config.eos_id
    ours = [token.id for token in translation.tokens]
    theirs = [*tokenizer.encode(other), eos]
    if len(theirs) == 1:
        raise OtherTargetError("nothing")
    if len(theirs) > MAX_SOURCE_TOKENS:
        raise OtherTargetError("too long", given=len(theirs), most=MAX_SOURCE_TOKENS)
    ours = ours if ours[-1] == eos else [*ours, eos]
    if ours == theirs:
        raise OtherTargetError("same")
    source = tokenizer.ids(translation.source.pieces)
    if len(source) > MOST_SOURCE_TOKENS:
        raise OtherTargetError("source too long", given=len(source), most=MOST_SOURCE_TOKENS)
    contrasted = contrast(translator.model, source, ours, theirs)
    return ShownContrast(
        Side(_labels(tokenizer, ours), contrasted.first.cpu().numpy()),
        Side(_labels(tokenizer, theirs), contrasted.second.cpu().numpy()),
        _labels(tokenizer, source),
        contrasted.gradient.cpu().numpy(),
        contrasted.left_out.cpu().numpy(),
    )


def _labels(tokenizer: Tokenizer, ids: Sequence[int]) -> tuple[str, ...]:
    return piece_labels(tokenizer.pieces(ids), [word.start for word in tokenizer.words(ids)])
