"""Word alignment read from cross-attention, and its error against alignments that people made.

Kobayashi et al. 2020 (arXiv:2004.10102, §5): every target word is linked with the source word that it reads most, at
the *output* step, which writes it, or at the *input* step, one row later, which reads it. The error is that of Och and
Ney 2003 (A Systematic Comparison of Various Statistical Alignment Models, §4).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

Step = Literal["output", "input"]
STEPS: tuple[Step, ...] = ("output", "input")

Link = tuple[int, int]
"""A source word and a target word, counted from 0."""
Span = tuple[int, int]


@dataclass(frozen=True)
class Gold:
    """Links that people made: ``sure`` ones, and ``possible`` ones, among which are the sure."""

    sure: frozenset[Link]
    possible: frozenset[Link]


def read_gold(line: str) -> Gold:
    """Return the links of ``line``: words counted from 1, i-j where a link is sure and ipj where it is possible.

    Raises:
        ValueError: a link has another form.
    """
    sure, possible = set(), set()
    for text in line.split():
        mark = "-" if "-" in text else "p"
        source, target = map(int, text.split(mark))
        possible.add((source - 1, target - 1))
        if mark == "-":
            sure.add((source - 1, target - 1))
    return Gold(frozenset(sure), frozenset(possible))


def word_weights(
    weights: Float[np.ndarray, "target source"], target: Sequence[Span], source: Sequence[Span]
) -> Float[np.ndarray, "target_word source_word"]:
    """Return ``weights`` between words: summed over the tokens of a source word, averaged over those of a target word.

    ``target`` and ``source`` are the spans of the words in tokens; what lies in no span is left out.
    """
    by_source = np.stack([weights[:, start:end].sum(1) for start, end in source], axis=1)
    return np.stack([by_source[start:end].mean(0) for start, end in target])


def links_of(weights: Float[np.ndarray, "target_word source_word"]) -> set[Link]:
    """Return for each target word the source word with the largest weight."""
    return {(int(source), target) for target, source in enumerate(weights.argmax(1))}


def at_step(weights: Float[np.ndarray, "row source"], step: Step) -> Float[np.ndarray, "target source"]:
    """Return of the rows that read BOS and the target the one that writes each token, or the one that reads it."""
    return weights[:-1] if step == "output" else weights[1:]


def alignment_error_rate(found: Iterable[tuple[set[Link], Gold]]) -> float:
    """Return 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), counted over all sentences; NaN where there is no link at all."""
    agreed = total = 0
    for links, gold in found:
        agreed += len(links & gold.sure) + len(links & gold.possible)
        total += len(links) + len(gold.sure)
    return 1 - agreed / total if total else float("nan")
