"""Reverse without repeats."""

from model.tasks.base import Tokens
from model.tasks.registry import register
from model.tasks.unique_numbers import UniqueNumbersTask, describe_unique


@register
class UniqueReverse(UniqueNumbersTask):
    """Write different numbers from the last to the first: what stood before each is found by content alone."""

    description = describe_unique(
        "unique_reverse",
        "Unique reverse",
        "Write the numbers from the last to the first; none comes twice.",
        example="42 7 130",
    )

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the numbers from the last to the first."""
        return inputs[::-1]
