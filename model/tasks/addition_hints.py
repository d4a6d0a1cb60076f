"""Addition with index hints: a letter before each digit names its place (Zhou et al. 2023)."""

import random
import string

from model.tasks.addition import EQUALS, PLUS, Addition, describe_addition, operands
from model.tasks.base import Tokens
from model.tasks.registry import register

HINTS: Tokens = tuple(string.ascii_letters)


@register
class AdditionWithHints(Addition):
    """Addition of reversed numbers, with the same letter before digits of the same place.

    The letters are consecutive in the alphabet, from a random first one. An input begins with that letter; in typed
    inputs it is a.
    """

    description = describe_addition(
        "addition_hints",
        "Addition with index hints",
        "Write the sum of two reversed numbers, with a letter before each digit that names its place.",
        longest_trained=10,
        longest=50,
        paper="Zhou et al. 2023, arXiv:2310.16028; Zhou et al. 2024, arXiv:2402.09371",
        more_tokens=(EQUALS, *HINTS),
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return the first hint and two numbers of ``length`` digits."""
        return (rng.choice(HINTS[: len(HINTS) - length]), *super().draw(length, rng))

    def length(self, inputs: Tokens) -> int:
        """Return the number of digits of each number."""
        return super().length(inputs[1:])

    def identity(self, inputs: Tokens) -> Tokens:
        """Return the numbers, without the hint."""
        return inputs[1:]

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return both numbers, padded with zeros, after the hint a."""
        return (HINTS[0], *super().arrange(tokens))

    def prompt(self, inputs: Tokens) -> Tokens:
        """Return both numbers with hints, from their last digits, and =."""
        first, second = operands(inputs[1:])
        return (*_hinted(first[::-1], inputs[0]), PLUS, *_hinted(second[::-1], inputs[0]), EQUALS)

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the digits of the sum with hints, from the last."""
        return _hinted(Addition().solve(inputs[1:])[::-1], inputs[0])


def _hinted(digits: Tokens, first_hint: str) -> Tokens:
    start = HINTS.index(first_hint)
    pairs = zip(HINTS[start : start + len(digits)], digits, strict=True)
    return tuple(token for pair in pairs for token in pair)
