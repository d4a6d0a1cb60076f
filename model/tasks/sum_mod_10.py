"""The last digit of a sum of digits."""

import random

from model.tasks.base import DIGITS, Task, TaskDescription, Tokens, lengths_to_measure
from model.tasks.registry import register


@register
class SumMod10(Task):
    """The sum of digits, modulo 10."""

    description = TaskDescription(
        name="sum_mod_10",
        title="Sum of digits, modulo 10",
        explanation="Add up the digits and write the last digit of the sum.",
        example="3714",
        unit="digits",
        symbols="the digits 0 to 9",
        alphabet=DIGITS,
        train_lengths=(1, 8),
        test_lengths=lengths_to_measure(8),
        longest=40,
        guessed=1 / 10,
        family="state",
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return ``length`` digits."""
        return tuple(rng.choices(DIGITS, k=length))

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the last digit of the sum."""
        return (str(sum(map(int, inputs)) % 10),)
