"""Addition with every number written from its last digit (Lee et al. 2023)."""

from model.tasks.addition import EQUALS, PLUS, Addition, describe_addition, operands
from model.tasks.base import Tokens
from model.tasks.registry import register


@register
class AdditionReversed(Addition):
    """Addition from the ones up: each digit of the sum needs only two digits and the carry."""

    description = describe_addition(
        "addition_reversed",
        "Addition, digits reversed",
        "Write the sum of two numbers, every number from its last digit to its first.",
        longest_trained=8,
        longest=40,
        paper="Lee et al. 2023, arXiv:2307.03381",
    )

    def prompt(self, inputs: Tokens) -> Tokens:
        """Return both numbers from their last digit, and =."""
        first, second = operands(inputs)
        return (*first[::-1], PLUS, *second[::-1], EQUALS)

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the digits of the sum from the last."""
        return super().solve(inputs)[::-1]
