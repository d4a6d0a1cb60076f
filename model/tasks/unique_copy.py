"""Copy without repeats."""

from model.tasks.base import Tokens
from model.tasks.registry import register
from model.tasks.unique_numbers import UniqueNumbersTask, describe_unique


@register
class UniqueCopy(UniqueNumbersTask):
    """Different numbers once more, in the same order.

    What follows each is found by content alone: it stands after the same number in the input.
    """

    description = describe_unique(
        "unique_copy",
        "Unique copy",
        "Write the numbers once more, in the same order; none comes twice.",
    )

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the numbers."""
        return inputs
