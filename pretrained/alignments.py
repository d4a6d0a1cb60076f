"""Pairs of sentences whose words people linked; ``pretrained/alignments/guidelines.md`` says by which rules."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model.analysis.alignment import Gold, read_gold, turned
from pretrained.translators import FOLDER

ALIGNMENTS = FOLDER / "alignments"
EN_DE = ALIGNMENTS / "en-de.txt"

_FIELDS = ("id", "en", "de", "links")
_SPACE_BEFORE_MARK = re.compile(r" (?=[.,!?])")


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
    gold: Gold

    @property
    def kind(self) -> str:
        """What it is: ``everyday`` or ``caption``."""
        return self.name.partition("-")[0]

    def turned(self) -> "GoldPair":
        """Return it with the second sentence first."""
        return GoldPair(self.name, self.texts[::-1], self.words[::-1], turned(self.gold))


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
