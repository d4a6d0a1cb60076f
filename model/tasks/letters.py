"""Base classes of the tasks on strings of letters."""

import random

from model.tasks.base import ASK, LETTERS, Family, Task, TaskDescription, Tokens, lengths_to_measure


def describe_letters(
    name: str, title: str, explanation: str, *, example: str, family: Family | None = None
) -> TaskDescription:
    """Return the description of a task on lower-case letters, trained on 2 to 20 of them as in the paper."""
    return TaskDescription(
        name=name,
        title=title,
        explanation=explanation,
        example=example,
        unit="letters",
        symbols="the letters a to z",
        alphabet=LETTERS,
        train_lengths=(2, 20),
        test_lengths=lengths_to_measure(20),
        longest=100,
        more_tokens=(ASK,),
        family=family,
    )


class LetterTask(Task):
    """A task on independent random letters."""

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return ``length`` letters."""
        return tuple(rng.choices(LETTERS, k=length))


class RepeatedLetterTask(Task):
    """A task on one letter, repeated: the model only has to count."""

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return one letter, ``length`` times."""
        return (rng.choice(LETTERS),) * length

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if all are the same letter."""
        if len(set(tokens)) > 1:
            raise self.refuse(tokens, "one letter, repeated, for example aaaa")
        return tokens
