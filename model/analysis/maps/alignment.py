"""Word alignment read from cross-attention, and its error against alignments that people made.

Kobayashi et al. 2020 (arXiv:2004.10102, §5): every target word is linked with the source word that it reads most, at
the *output* step, which writes it, or at the *input* step, one row later, which reads it. The error is that of Och and
Ney 2003 (A Systematic Comparison of Various Statistical Alignment Models, §4).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np
from jaxtyping import Float

from model.text.normalization import WORD_START
from model.text.tokenizer import byte_of

Step = Literal["output", "input"]
# Half of what one of four bytes takes of a character.
_SLACK = 0.125

STEPS: tuple[Step, ...] = ("output", "input")

Link = tuple[int, int]
"""A source word and a target word, counted from 0."""
Span = tuple[int, int]


@dataclass(frozen=True)
class GoldLinks:
    """Links that people made: ``sure`` ones, and ``possible`` ones, among which are the sure."""

    sure: frozenset[Link]
    possible: frozenset[Link]


def read_gold(line: str, *, possible: str = "p", first: int = 1) -> GoldLinks:
    """Return the links of ``line``: i-j if sure, with ``possible`` in place of the hyphen if possible.

    Words are counted from ``first``.

    Raises:
        ValueError: a link has another form.
    """
    sure, every = set(), set()
    for text in line.split():
        mark = "-" if "-" in text else possible
        source, target = map(int, text.split(mark))
        every.add((source - first, target - first))
        if mark == "-":
            sure.add((source - first, target - first))
    return GoldLinks(frozenset(sure), frozenset(every))


def turned(gold: GoldLinks) -> GoldLinks:
    """Return ``gold`` with source and target exchanged."""
    return GoldLinks(*(frozenset((target, source) for source, target in links) for links in (gold.sure, gold.possible)))


def word_spans(words: Sequence[str], pieces: Sequence[str]) -> list[Span] | None:
    """Return the pieces of each of ``words``, which follow one another in the text of ``pieces``.

    A piece that reaches over two words is of both. None where a word is not there as it is written.
    """
    text, ends = _text_of(pieces)
    at = 0
    spans = []
    for word in words:
        start = text.find(word, at)
        if start < 0:
            return None
        at = start + len(word)
        # The space before a word may be a piece of its own.
        begin = start - (text[start - 1 : start] == " ")
        first, last = np.searchsorted(ends, (begin + _SLACK, at - _SLACK))
        spans.append((int(first), int(last) + 1))
    return spans


def _text_of(pieces: Sequence[str]) -> tuple[str, Float[np.ndarray, " piece"]]:
    """Return the text of ``pieces`` and each one's end in it; bytes share their character equally."""
    text, lengths = "", []
    for is_bytes, run in groupby(pieces, lambda piece: byte_of(piece) is not None):
        if is_bytes:
            characters = bytes(byte_of(piece) or 0 for piece in run).decode(errors="replace")
            text += characters
            shares = (len(character.encode()) for character in characters)
            lengths += [1 / n for n in shares for _ in range(n)]
        else:
            every = [*run]
            text += "".join(every).replace(WORD_START, " ")
            lengths += map(len, every)
    return text, np.cumsum(lengths, dtype=float)


def word_weights(
    weights: Float[np.ndarray, "target source"], target: Sequence[Span], source: Sequence[Span]
) -> Float[np.ndarray, "target_word source_word"]:
    """Return ``weights`` between words: summed over source tokens, averaged over target tokens.

    ``target`` and ``source`` are the spans of the words in tokens; what lies in no span is left out.
    """
    by_source = np.stack([weights[:, start:end].sum(1) for start, end in source], axis=1)
    return np.stack([by_source[start:end].mean(0) for start, end in target])


def links_of(weights: Float[np.ndarray, "target_word source_word"]) -> set[Link]:
    """Return for each target word the source word with the largest weight."""
    return {(int(source), target) for target, source in enumerate(weights.argmax(1))}


def pharaoh(links: Iterable[Link]) -> str:
    """Return ``links`` in Pharaoh format: i-j, source word first, counted from 0, in order."""
    return " ".join(f"{source}-{target}" for source, target in sorted(links))


def at_step(weights: Float[np.ndarray, "row source"], step: Step) -> Float[np.ndarray, "target source"]:
    """Return the rows that write each target token, or those that read it, of rows that begin with BOS."""
    return weights[:-1] if step == "output" else weights[1:]


def alignment_error_rate(alignments: Iterable[tuple[set[Link], GoldLinks]]) -> float:
    """Return 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|) over all sentences; NaN where there is no link."""
    agreed = total = 0
    for links, gold in alignments:
        agreed += len(links & gold.sure) + len(links & gold.possible)
        total += len(links) + len(gold.sure)
    return 1 - agreed / total if total else float("nan")
