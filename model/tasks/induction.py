"""Induction: a random word, repeated."""

import random

from model.tasks.base import ASK, LETTERS, Task, TaskDescription, Tokens, lengths_to_measure
from model.tasks.registry import register

_SHORTEST = 2


@register
class Induction(Task):
    """Go on with a word that has begun again; no letter is in it twice, so what follows each is certain.

    Its length varies, so the letter to write is at no fixed distance: it is the one after the earlier place of the
    letter read last, which an induction head finds (Olsson et al. 2022).
    """

    description = TaskDescription(
        name="induction",
        title="Induction",
        explanation="Go on with a word of different letters, whose first letter stands there once more.",
        example="plants",
        unit="letters",
        symbols="the letters a to z, each at most once",
        alphabet=LETTERS,
        train_lengths=(5, 16),
        test_lengths=lengths_to_measure(16, 24),
        longest=24,
        more_tokens=(ASK,),
        paper="Olsson et al. 2022, arXiv:2209.11895",
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return ``length`` different letters."""
        return tuple(rng.sample(LETTERS, k=length))

    def prompt(self, inputs: Tokens) -> Tokens:
        """Return the word, and its first letter again."""
        return (*inputs, ASK, inputs[0])

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the letters after the first."""
        return inputs[1:]

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if there are two at least, all different."""
        if len(tokens) < _SHORTEST or len(set(tokens)) < len(tokens):
            raise self.refuse(tokens, "at least two letters, all different, for example plants")
        return tokens
