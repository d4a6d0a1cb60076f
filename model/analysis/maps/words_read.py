"""The share of a source that a translator read, by its largest cross-attention weights."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from model.decoding.translator import Translation
from model.text.normalization import WORD_START


@dataclass(frozen=True)
class WordsRead:
    """The number of source words, of ``all``, that some written token's largest weight fell on."""

    read: int
    all: int

    @property
    def share(self) -> float:
        """The read words as a share of all."""
        return self.read / self.all


def mean_cross_attention(translation: Translation) -> Float[np.ndarray, "step piece"]:
    """Return the mean of all heads of all layers of cross-attention, of each written token on the source."""
    maps = [pattern for name, pattern in translation.patterns.items() if "cross_attention" in name]
    mean: Float[np.ndarray, "step piece"] = np.concatenate(maps).mean(0)
    return mean


def words_read(translation: Translation) -> WordsRead:
    """Return the source words that the largest weight of some token falls on, by the mean of all heads."""
    word = _words_of(translation.source.pieces)
    read = {word[int(place)] for place in mean_cross_attention(translation)[:, : len(word)].argmax(1)}
    return WordsRead(len(read), max(word) + 1)


def _words_of(pieces: Sequence[str]) -> list[int]:
    """Return the number of the word that each piece but the last, which ends the sentence, belongs to."""
    starts = np.cumsum([piece.startswith(WORD_START) for piece in pieces[:-1]])
    return [max(0, int(number) - 1) for number in starts]
