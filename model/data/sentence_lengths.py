"""Test pairs by the length of their source: as they are, and joined of shorter ones."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from model.data.loading import Pair

Kind = Literal["whole", "joined"]

BINS = ((4, 6), (7, 9), (10, 12), (13, 15), (16, 18), (19, 24), (25, 36), (37, 48), (49, 60))
"""The shortest and the longest source of each set, in words."""
FEWEST = 20
"""With fewer pairs there is no set."""


@dataclass(frozen=True)
class LengthSet:
    """Pairs whose sources have ``shortest`` to ``longest`` words: captions, or several joined."""

    kind: Kind
    shortest: int
    longest: int
    pairs: tuple[Pair, ...]

    @property
    def mean_words(self) -> float:
        """The mean length of the sources, in words."""
        return fmean(n_words(pair) for pair in self.pairs)


def n_words(pair: Pair) -> int:
    """Return the length of the source."""
    return len(pair.source.split())


def by_length(pairs: Iterable[Pair], kind: Kind, *, most: int, seed: int) -> list[LengthSet]:
    """Return the sets of :data:`BINS` with at least :data:`FEWEST` of ``pairs``; at most ``most`` each."""
    every, rng = list(pairs), random.Random(f"{kind} {seed}")
    sets = []
    for shortest, longest in BINS:
        inside = [pair for pair in every if shortest <= n_words(pair) <= longest]
        if len(inside) >= FEWEST:
            sets.append(LengthSet(kind, shortest, longest, tuple(rng.sample(inside, min(most, len(inside))))))
    return sets


def held_out_by_length(dev: Sequence[Pair], train: Sequence[Pair], most_trained: int) -> list[Pair]:
    """Return the pairs of both that a run on sources of at most ``most_trained`` words has not trained on."""
    return [*dev, *(pair for pair in train if n_words(pair) > most_trained)]
