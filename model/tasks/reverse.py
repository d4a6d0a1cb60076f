"""Reverse."""

from model.tasks.base import Tokens
from model.tasks.letters import LetterTask, describe_letters
from model.tasks.registry import register


@register
class Reverse(LetterTask):
    """Write the letters from the last to the first."""

    description = describe_letters(
        "reverse",
        "Reverse",
        "Write the letters from the last to the first.",
        example="onwards",
        family="position",
    )

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the letters from the last to the first."""
        return inputs[::-1]
