"""Sorting of single symbols."""

import random
import string

from model.tasks.base import ASK, Task, TaskDescription, Tokens, lengths_to_measure
from model.tasks.registry import register

SYMBOLS: Tokens = tuple((string.digits + string.ascii_letters)[:50])


@register
class Sort(Task):
    """Fifty symbols, in the order of digits, lower-case letters, capitals."""

    description = TaskDescription(
        name="sort",
        title="Sort symbols",
        explanation="Write the symbols in order: digits first, then small letters, then capitals.",
        example="k3Ba",
        unit="symbols",
        symbols="0 to 9, a to z and A to N",
        alphabet=SYMBOLS,
        train_lengths=(2, 8),
        test_lengths=lengths_to_measure(8),
        longest=40,
        more_tokens=(ASK,),
        family="order",
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return ``length`` symbols."""
        return tuple(rng.choices(SYMBOLS, k=length))

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the symbols in order."""
        return tuple(sorted(inputs, key=SYMBOLS.index))
