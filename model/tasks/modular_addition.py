"""Addition modulo a prime, each number one token: the task of grokking."""

import random
import re
from collections.abc import Sequence

from model.tasks.addition import EQUALS, PLUS
from model.tasks.base import Task, TaskDescription, Tokens
from model.tasks.registry import register

MODULUS = 53
_NUMBERS = tuple(map(str, range(MODULUS)))


@register
class ModularAddition(Task):
    """The sum of two numbers modulo a prime, whose digits the model does not see.

    All pairs are few, and a hash holds out a fixed share of them: a model can know those it is trained on by heart, and
    only a model that adds knows the others (Power et al. 2022). The answer is one token, without EOS.
    """

    description = TaskDescription(
        name="modular_addition",
        title=f"Addition modulo {MODULUS}",
        explanation=f"Write the sum of two numbers modulo {MODULUS}; each number is one symbol.",
        example="12 + 47",
        unit="numbers",
        symbols=f"two numbers from 0 to {MODULUS - 1} with a + between them",
        alphabet=(*_NUMBERS, PLUS),
        train_lengths=(2, 2),
        test_lengths=(2,),
        longest=2,
        more_tokens=(EQUALS,),
        guessed=1 / MODULUS,
        paper="Power et al. 2022, arXiv:2201.02177",
    )
    held_out_share = 0.3
    has_end = False

    separator = " "

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return ``length`` numbers with a + between them."""
        return _added(rng.choices(_NUMBERS, k=length))

    def length(self, inputs: Tokens) -> int:
        """Return how many numbers there are."""
        return len(inputs[::2])

    def identity(self, inputs: Tokens) -> Tokens:
        """Return the numbers in ascending order: who knows a + b by heart would know b + a, too."""
        return _added(sorted(inputs[::2], key=int))

    def prompt(self, inputs: Tokens) -> Tokens:
        """Return the numbers and =."""
        return (*inputs, EQUALS)

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the sum."""
        return (str(sum(map(int, inputs[::2])) % MODULUS),)

    def split(self, text: str) -> Tokens:
        """Return the numbers and signs of a typed ``text``."""
        return tuple(re.findall(r"[0-9]+|\S", text))

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if they are numbers, two at least, with a + between any two."""
        numbers, signs = tokens[::2], tokens[1::2]
        if PLUS in numbers or not signs or set(signs) != {PLUS} or len(numbers) == len(signs):
            raise self.refuse(tokens, f"two numbers with one + between them, for example {self.description.example}")
        return tokens


def _added(numbers: Sequence[str]) -> Tokens:
    first, *others = numbers
    return (first, *(token for number in others for token in (PLUS, number)))
