"""Addition of two numbers, written digit by digit."""

import random

from model.tasks.base import DIGITS, Task, TaskDescription, Tokens, lengths_to_measure
from model.tasks.registry import register

PLUS, EQUALS = "+", "="


def describe_addition(
    name: str,
    title: str,
    explanation: str,
    *,
    longest_trained: int,
    longest: int,
    paper: str,
    more_tokens: Tokens = (EQUALS,),
) -> TaskDescription:
    """Return the description of an addition task, trained on up to ``longest_trained`` digits."""
    return TaskDescription(
        name=name,
        title=title,
        explanation=explanation,
        example="53+17",
        unit="digits",
        symbols="two numbers with a + between them",
        alphabet=(*DIGITS, PLUS),
        train_lengths=(1, longest_trained),
        test_lengths=lengths_to_measure(longest_trained, longest),
        longest=longest,
        more_tokens=more_tokens,
        paper=paper,
    )


def operands(inputs: Tokens) -> tuple[Tokens, Tokens]:
    """Return the digits of both numbers of ``inputs``."""
    plus = inputs.index(PLUS)
    return inputs[:plus], inputs[plus + 1 :]


def total(inputs: Tokens) -> int:
    """Return the sum."""
    first, second = operands(inputs)
    return int("".join(first)) + int("".join(second))


@register
class Addition(Task):
    """Two numbers with the same number of digits, and their sum from the first digit."""

    description = describe_addition(
        "addition",
        "Addition",
        "Write the sum of two numbers; the shorter one is filled up with zeros in front.",
        longest_trained=8,
        longest=40,
        paper="Kazemnejad et al. 2023, arXiv:2305.19466",
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return two numbers of ``length`` digits, leading zeros allowed."""
        return (*rng.choices(DIGITS, k=length), PLUS, *rng.choices(DIGITS, k=length))

    def length(self, inputs: Tokens) -> int:
        """Return the number of digits of each number."""
        return len(inputs) // 2

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return both numbers, padded with zeros to the same number of digits."""
        if tokens.count(PLUS) != 1 or PLUS in (tokens[0], tokens[-1]):
            raise self.refuse(tokens, "two numbers with one + between them, for example 53+17")
        first, second = operands(tokens)
        n = max(len(first), len(second))
        return (*("0",) * (n - len(first)), *first, PLUS, *("0",) * (n - len(second)), *second)

    def prompt(self, inputs: Tokens) -> Tokens:
        """Return both numbers and =."""
        return (*inputs, EQUALS)

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the digits of the sum, one more than each number has, with a leading zero if needed."""
        return tuple(f"{total(inputs):0{self.length(inputs) + 1}d}")
