"""Sorting of different numbers, each one token."""

from model.tasks.base import Tokens
from model.tasks.registry import register
from model.tasks.unique_numbers import UniqueNumbersTask, describe_unique


@register
class UniqueSort(UniqueNumbersTask):
    """Different numbers from the smallest to the largest."""

    description = describe_unique(
        "unique_sort",
        "Unique sort",
        "Write the numbers from the smallest to the largest; none comes twice.",
    )

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the numbers in ascending order."""
        return tuple(sorted(inputs, key=int))
