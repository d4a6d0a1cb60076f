"""Copy."""

from model.tasks.base import Tokens
from model.tasks.letters import LetterTask, describe_letters
from model.tasks.registry import register


@register
class CopyLetters(LetterTask):
    """Write the letters once more, in the same order."""

    description = describe_letters(
        "copy_letters",
        "Copy",
        "Write the letters once more, in the same order.",
        example="onwards",
        family="position",
    )

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the letters."""
        return inputs
