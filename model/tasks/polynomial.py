"""The value of a polynomial, modulo 10."""

import random
import re

from model.tasks.base import ASK, DIGITS, Task, TaskDescription, Tokens, lengths_to_measure
from model.tasks.registry import register

_FORM = re.compile(r"-?[0-2];([+-][0-3]x[0-3])+")
_TERM = re.compile(r"([+-][0-3])x([0-3])")


@register
class Polynomial(Task):
    """The sum of terms with coefficients from −3 to 3 and powers up to 3, at an x from −2 to 2, modulo 10."""

    description = TaskDescription(
        name="polynomial",
        title="Evaluate a polynomial",
        explanation=(
            "Put the x before the semicolon into the terms, where +3x2 is 3 times x squared, "
            "and write their sum modulo 10."
        ),
        example="-2;+3x2-1x1+2x0",
        unit="terms",
        symbols="an x, a semicolon and signed terms",
        alphabet=(*DIGITS, "+", "-", "x", ";"),
        train_lengths=(1, 8),
        test_lengths=lengths_to_measure(8),
        longest=40,
        more_tokens=(ASK,),
        guessed=1 / 10,
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return an x and ``length`` terms."""
        terms = (f"{rng.randint(-3, 3):+d}x{rng.randint(0, 3)}" for _ in range(length))
        return tuple(f"{rng.randint(-2, 2)};{''.join(terms)}")

    def length(self, inputs: Tokens) -> int:
        """Return the number of terms."""
        return inputs.count("x")

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if they have the form of :meth:`draw`."""
        if not _FORM.fullmatch("".join(tokens)):
            form = "an x from -2 to 2, a semicolon, and terms from -3 to 3 with powers up to 3"
            raise self.refuse(tokens, f"{form}, for example {self.description.example}")
        return tokens

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the value modulo 10."""
        x, terms = "".join(inputs).split(";")
        value = sum(int(coefficient) * int(x) ** int(power) for coefficient, power in _TERM.findall(terms))
        return (str(value % 10),)
