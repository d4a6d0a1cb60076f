"""Reverse without repeats."""

from model.tasks.base import Tokens
from model.tasks.registry import register
from model.tasks.unique_numbers import UniqueNumbersTask, describe_unique


@register
class UniqueReverse(UniqueNumbersTask):
    """Different numbers from the last to the first.

    What follows each is found by content alone: it stands before the same number in the input.
    """

    description = describe_unique(
        "unique_reverse",
        "Unique reverse",
        "Write the numbers from the last to the first; none comes twice.",
    )

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the numbers from the last to the first."""
        return inputs[::-1]
