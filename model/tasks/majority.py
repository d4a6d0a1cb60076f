"""Majority: which letter is the most frequent?"""

import random
from collections import Counter

from model.tasks.base import LETTERS, Task, TaskDescription, Tokens
from model.tasks.registry import register
from model.tasks.unique_numbers import LONGEST, LONGEST_TRAINED, TEST_LENGTHS


@register
class Majority(Task):
    """The one letter that comes more often than every other."""

    description = TaskDescription(
        name="majority",
        title="Majority",
        explanation="Write the letter that comes most often.",
        example="abcabb",
        unit="letters",
        symbols="the letters a to z, one of them more often than the others",
        alphabet=LETTERS,
        train_lengths=(1, LONGEST_TRAINED),
        test_lengths=TEST_LENGTHS,
        longest=LONGEST,
        guessed=1 / len(LETTERS),
        paper="Huang et al. 2025, arXiv:2410.02140, appendix E",
        family="counting",
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return ``length`` letters; one comes more often than every other."""
        while True:
            letters = tuple(rng.choices(LETTERS, k=length))
            if _has_majority(letters):
                return letters

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if one comes more often than every other."""
        if not _has_majority(tokens):
            raise self.refuse(tokens, f"letters with one that comes most often, for example {self.description.example}")
        return tokens

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the most frequent letter."""
        [(letter, _)] = Counter(inputs).most_common(1)
        return (letter,)


def _has_majority(letters: Tokens) -> bool:
    first, *others = Counter(letters).most_common(2)
    return not others or first[1] > others[0][1]
