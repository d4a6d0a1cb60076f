"""One pair of sentences whose words people linked, and how a head of a translator links them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from model.analysis.maps.aligning_maps import Aligner, aligning_maps
from model.analysis.maps.alignment import GoldLinks, Link, Step, alignment_error_rate, links_of
from model.decoding.translator import Translator
from pretrained.alignments import GoldPair
from viz.base.exports import rows_as_csv


@dataclass(frozen=True)
class AlignedPair:
    """A pair as a head aligns it.

    Attributes:
        source: the words that are read.
        target: the words that are written.
        weights: what the head gives to each source word at each target word; each row sums to 1 at most.
        links: the source word with the largest weight for each target word.
        gold: the links that people made.
    """

    source: Sequence[str]
    target: Sequence[str]
    weights: Float[np.ndarray, "target source"]
    links: frozenset[Link]
    gold: GoldLinks

    @property
    def error(self) -> float:
        """The alignment error rate of this pair."""
        return alignment_error_rate([({*self.links}, self.gold)])

    def as_csv(self) -> str:
        """Return a row for each pair of words: the weight, and whether head and people link them."""
        rows = [
            (
                target + 1,
                self.target[target],
                source + 1,
                self.source[source],
                f"{weight:.9g}",
                str((source, target) in self.links).lower(),
                "sure"
                if (source, target) in self.gold.sure
                else "possible"
                if (source, target) in self.gold.possible
                else "",
            )
            for (target, source), weight in np.ndenumerate(self.weights)
        ]
        return rows_as_csv(("row", "target", "column", "source", "weight", "linked", "gold"), rows)


def align(translator: Translator, pair: GoldPair, aligner: Aligner, step: Step) -> AlignedPair | None:
    """Return ``pair`` with the links of ``aligner`` at ``step``; None where tokens do not match its words.

    The decoder reads the translation that the pair has. Rows of ‖αvW_O‖ are divided by their sum.
    """
    read = pair.encoded(translator.tokenizer)
    if read is None:
        return None
    rows = next(
        rows for candidate, rows in aligning_maps(translator.model, read.source, read.target) if candidate == aligner
    )
    weights = read.word_weights(rows / rows.sum(1, keepdims=True), step)
    links = frozenset(links_of(read.word_weights(rows, step)))
    return AlignedPair(pair.words[0], pair.words[1], weights, links, pair.gold)
