"""Base of the tasks on different numbers (Zhou et al. 2023; Huang et al. 2025)."""

import random

from model.tasks.base import ASK, Task, TaskDescription, Tokens

LONGEST_TRAINED, LONGEST = 50, 150
TEST_LENGTHS = (12, 25, 38, 50, 51, 60, 75, 100, 125, LONGEST)
# One more than the longest input has: with as many there would be only one sorted list.
NUMBERS: Tokens = tuple(map(str, range(LONGEST + 1)))


def describe_unique(name: str, title: str, explanation: str) -> TaskDescription:
    """Return the description of a task on different numbers, trained on 1 to 50 as in Huang et al. 2025."""
    return TaskDescription(
        name=name,
        title=title,
        explanation=explanation,
        example="42 7 130",
        unit="numbers",
        symbols="different numbers from 0 to 150",
        alphabet=NUMBERS,
        train_lengths=(1, LONGEST_TRAINED),
        test_lengths=TEST_LENGTHS,
        longest=LONGEST,
        more_tokens=(ASK,),
        paper="Zhou et al. 2023, arXiv:2310.16028; Huang et al. 2025, arXiv:2410.02140, appendix E",
    )


class UniqueNumbersTask(Task):
    """A task on different numbers; each is one token."""

    separator = " "

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return ``length`` different numbers in random order."""
        return tuple(rng.sample(NUMBERS, length))

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if none comes twice."""
        if len(set(tokens)) < len(tokens):
            raise self.refuse(tokens, f"different numbers, for example {self.description.example}")
        return tokens
