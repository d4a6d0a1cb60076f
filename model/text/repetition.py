"""Words that stand twice in a row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Repetition:
    """A block of ``length`` words from ``start`` on, which stands ``times`` times in a row."""

    start: int
    length: int
    times: int


def repetitions(words: Sequence[str]) -> Iterator[Repetition]:
    """Yield repetitions, the longest blocks first: twice in a row, or three times for a single word."""
    for length in range(len(words) // 2, 0, -1):
        times = 2 if length > 1 else 3
        for start in range(len(words) - times * length + 1):
            block = list(words[start : start + length])
            if list(words[start : start + times * length]) == block * times:
                yield Repetition(start, length, times)
