"""Sorting of numbers of several digits."""

import random

from model.tasks.base import ASK, DIGITS, Task, TaskDescription, Tokens, lengths_to_measure
from model.tasks.registry import register

COMMA = ","
_FORM = "numbers from 10 to 9999 with commas between them, for example 42,1305,17"


@register
class SortNumbers(Task):
    """Numbers from 10 to 9999, to be sorted in ascending order."""

    description = TaskDescription(
        name="sort_numbers",
        title="Sort numbers",
        explanation="Write the numbers from the smallest to the largest.",
        example="42,1305,17",
        unit="numbers",
        symbols="digits and commas",
        alphabet=(*DIGITS, COMMA),
        train_lengths=(2, 8),
        test_lengths=lengths_to_measure(8),
        longest=40,
        more_tokens=(ASK,),
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return ``length`` numbers, with two, three or four digits equally likely."""
        ranges = ((10, 99), (100, 999), (1000, 9999))
        return _joined([rng.randint(*rng.choice(ranges)) for _ in range(length)])

    def length(self, inputs: Tokens) -> int:
        """Return the number of numbers."""
        return inputs.count(COMMA) + 1

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if they are numbers from 10 to 9999."""
        numbers = "".join(tokens).split(COMMA)
        if not all(number and number[0] != "0" and 2 <= len(number) <= 4 for number in numbers):
            raise self.refuse(tokens, _FORM)
        return tokens

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the numbers in order."""
        return _joined(sorted(map(int, "".join(inputs).split(COMMA))))


def _joined(numbers: list[int]) -> Tokens:
    return tuple(COMMA.join(map(str, numbers)))
