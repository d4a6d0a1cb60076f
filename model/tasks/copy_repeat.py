"""Copy one repeated letter."""

from model.tasks.base import Tokens
from model.tasks.letters import RepeatedLetterTask, describe_letters
from model.tasks.registry import register


@register
class CopyRepeated(RepeatedLetterTask):
    """Write the same letter, as many times as it was given."""

    description = describe_letters(
        "copy_repeat",
        "Copy one repeated letter",
        "Write the same letter, as many times as it was given.",
        example="aaaa",
        family="counting",
    )

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the letters."""
        return inputs
