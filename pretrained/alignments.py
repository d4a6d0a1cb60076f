"""Pairs of sentences whose words people linked; ``pretrained/alignments/guidelines.md`` says by which rules."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float

from model.analysis.maps.alignment import GoldLinks, Span, Step, at_step, read_gold, turned, word_spans, word_weights
from model.text.tokenizer import Tokenizer
from pretrained.translators import FOLDER

ALIGNMENTS = FOLDER / "alignments"
EN_DE = ALIGNMENTS / "en-de.txt"

_FIELDS = ("id", "en", "de", "links")
_SPACE_BEFORE_MARK = re.compile(r" (?=[.,!?])")


@dataclass(frozen=True)
class EncodedGoldPair:
    """Tokens of a pair, the spans of its words in them, its links as (source, target), and its kind."""

    source: Sequence[int]
    target: Sequence[int]
    source_words: Sequence[Span]
    target_words: Sequence[Span]
    gold: GoldLinks
    kind: str

    def word_weights(
        self, rows: Float[np.ndarray, "row source"], step: Step
    ) -> Float[np.ndarray, "target_word source_word"]:
        """Return ``rows``, as :func:`~model.analysis.maps.aligning_maps.aligning_maps` yields them, between words."""
        return word_weights(at_step(rows, step), self.target_words, self.source_words)


@dataclass(frozen=True)
class GoldPair:
    """A pair of sentences.

    Attributes:
        name: what it is called, such as ``caption-07``; empty where it has no name.
        texts: both sentences as people write them.
        words: the words of each, which its text holds in this order.
        gold: the links, between words of the first sentence and of the second.
    """

    name: str
    texts: tuple[str, str]
    words: tuple[Sequence[str], Sequence[str]]
    gold: GoldLinks

    @property
    def kind(self) -> str:
        """What it is: ``everyday`` or ``caption``."""
        return self.name.partition("-")[0]

    def turned(self) -> "GoldPair":
        """Return it with the second sentence first."""
        return GoldPair(self.name, self.texts[::-1], self.words[::-1], turned(self.gold))

    def encoded(self, tokenizer: Tokenizer) -> EncodedGoldPair | None:
        """Return it as a translator with that tokenizer reads it; None where a word is not written as it stands."""
        source, target = map(tokenizer.encode, self.texts)
        spans = [
            word_spans(words, tokenizer.pieces(ids)) for words, ids in zip(self.words, (source, target), strict=True)
        ]
        if spans[0] is None or spans[1] is None:
            return None
        return EncodedGoldPair(source, target, spans[0], spans[1], self.gold, self.kind)


def gold_pairs(path: Path = EN_DE) -> tuple[GoldPair, ...]:
    """Return the pairs of ``path``, English first.

    Raises:
        FileNotFoundError: it is missing.
        ValueError: a block has other lines than ``id``, ``en``, ``de`` and ``links``, or a link has another form.
    """
    return tuple(map(_pair, path.read_text(encoding="utf-8").strip().split("\n\n")))


def _pair(block: str) -> GoldPair:
    names, values = zip(*(line.split(": ", 1) for line in block.splitlines()), strict=True)
    if names != _FIELDS:
        raise ValueError(f"a pair has the lines {', '.join(names)}; it takes {', '.join(_FIELDS)}")
    name, english, german, links = values
    texts = _SPACE_BEFORE_MARK.sub("", english), _SPACE_BEFORE_MARK.sub("", german)
    return GoldPair(name, texts, (english.split(), german.split()), read_gold(links, possible="?", first=0))
