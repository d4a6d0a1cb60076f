"""Parity: is the number of ones odd?"""

import random

from model.tasks.base import Task, TaskDescription, Tokens, lengths_to_measure
from model.tasks.registry import register

BITS: Tokens = ("0", "1")


@register
class Parity(Task):
    """The parity of some bits, without intermediate steps."""

    description = TaskDescription(
        name="parity",
        title="Parity",
        explanation="Write 1 if the number of ones is odd, and 0 if it is even.",
        example="10110",
        unit="bits",
        symbols="zeros and ones",
        alphabet=BITS,
        train_lengths=(1, 8),
        test_lengths=lengths_to_measure(8),
        longest=40,
        guessed=1 / 2,
        family="state",
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return ``length`` bits."""
        return tuple(rng.choices(BITS, k=length))

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the parity."""
        return (str(inputs.count("1") % 2),)
