"""What an algorithmic task is: inputs of a chosen length, the one right answer, and how both are written as tokens.

A model reads BOS and the prompt (the input and whatever the task adds to it), and is to write the answer and EOS. The
protocol is that of Kazemnejad et al. 2023 (arXiv:2305.19466): train on short inputs, test on longer ones, exact match.

No input is both trained on and tested on. Inputs longer than the trained lengths are for tests alone. Of the shorter
ones a hash of the input, the same for every seed, sets a tenth apart. Where few inputs of some length exist (26 that
repeat one letter; 4 pairs of bits), the held-out ones are few or none: a test then takes all that there are, without
repeating any, and says how many they were.
"""

import hashlib
import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

Tokens = tuple[str, ...]

ASK = ">"
LETTERS: Tokens = tuple("abcdefghijklmnopqrstuvwxyz")
DIGITS: Tokens = tuple("0123456789")

_TRIES = 60


@dataclass(frozen=True)
class TaskDescription:
    """How a task presents itself.

    Attributes:
        name: under which it is registered.
        title: for people.
        explanation: one sentence: what is asked.
        example: an input as a person would type it.
        unit: what the length counts, in the plural.
        symbols: the tokens an input is made of, in words.
        alphabet: these tokens.
        more_tokens: what prompts and answers need beyond them.
        train_lengths: shortest and longest input trained on.
        test_lengths: lengths to measure, some of them trained.
        longest: the longest input taken.
        guessed: exact match of who answers a long input by chance: 1 / n where one of n symbols is the answer.
        paper: where the task, or this way of writing it, comes from.
    """

    name: str
    title: str
    explanation: str
    example: str
    unit: str
    symbols: str
    alphabet: Tokens
    train_lengths: tuple[int, int]
    test_lengths: tuple[int, ...]
    longest: int
    more_tokens: Tokens = (ASK,)
    guessed: float = 0.0
    paper: str = "Kazemnejad et al. 2023, arXiv:2305.19466"


class Task(ABC):
    """Base of every task: :meth:`draw` and :meth:`solve` have to be given; the rest has a usual form."""

    description: ClassVar[TaskDescription]
    longest_shift: ClassVar[int] = 0
    """By how much training may move the positions that :meth:`positions` gives."""

    @abstractmethod
    def draw(self, length: int, chance: random.Random) -> Tokens:
        """Return a random input of ``length``."""

    @abstractmethod
    def solve(self, inputs: Tokens) -> Tokens:
        """Return the one right answer to ``inputs``."""

    def prompt(self, inputs: Tokens) -> Tokens:
        """Return what the model reads before it answers, without BOS."""
        return (*inputs, ASK)

    def training_lengths(self) -> tuple[int, ...]:
        """Return every length to train on."""
        low, high = self.description.train_lengths
        return tuple(range(low, high + 1))

    def length(self, inputs: Tokens) -> int:
        """Return how long ``inputs`` are, in the unit of the task."""
        return len(inputs)

    def identity(self, inputs: Tokens) -> Tokens:
        """Return what makes two inputs the same for the split into training and test."""
        return inputs

    def positions(self, inputs: Tokens) -> tuple[int, ...] | None:
        """Return where BOS, prompt, answer and EOS are said to stand; None to count them from 0."""
        del inputs
        return None

    def split(self, text: str) -> Tokens:
        """Return the tokens of what a person typed; every character is one, and spaces mean nothing."""
        return tuple("".join(text.split()))

    def join(self, tokens: Tokens) -> str:
        """Return ``tokens`` as people read them."""
        return "".join(tokens)

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return typed ``tokens``, all from the alphabet, as an input; raise ValueError if they make none."""
        return tokens

    def is_right(self, inputs: Tokens, answer: Tokens) -> bool:
        """Whether ``answer``, without EOS, is the right one."""
        return answer == self.solve(inputs)

    def parse(self, text: str) -> Tokens:
        """Return the input that ``text`` stands for.

        Raises:
            ValueError: nothing, something outside the alphabet, something that makes no input, or too long a one.
        """
        described = self.description
        tokens = self.split(text)
        advice = f"for example {described.example}"
        if not tokens:
            raise ValueError(f"nothing was given; {described.title} takes {described.symbols}, {advice}")
        unknown = next((token for token in tokens if token not in described.alphabet), None)
        if unknown is not None:
            raise ValueError(f"{unknown[:20]!r} is not for {described.title}; it takes {described.symbols}, {advice}")
        inputs = self.arrange(tokens)
        length = self.length(inputs)
        if length > described.longest:
            raise ValueError(
                f"{length:,} {described.unit} were given; {described.title} takes at most {described.longest}: "
                "leave some out"
            )
        return inputs

    def refuse(self, tokens: Tokens, form: str) -> ValueError:
        """Return the error for typed ``tokens`` that do not have the ``form`` that the task asks for."""
        given = self.join(tokens)
        shown = given if len(given) <= 40 else f"{given[:37]}…"
        return ValueError(f"{shown!r} is no input; {self.description.title} takes {form}")


def lengths_to_measure(longest_trained: int, farthest: int | None = None) -> tuple[int, ...]:
    """Return lengths up to ``longest_trained``, close ones right after it, and wider ones up to five times as long."""
    top = longest_trained
    inside = {max(1, round(top * share)) for share in (0.25, 0.5, 0.75, 1)}
    near = {top + 1, top + 2, *(round(top * share) for share in (1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2))}
    far = {round(top * share) for share in (2.5, 3, 4, 5)}
    limit = 5 * top if farthest is None else farthest
    return tuple(sorted(length for length in inside | near | far if length <= limit))


def is_held_out(task: Task, inputs: Tokens) -> bool:
    """Whether ``inputs`` are for tests: longer than any trained on, or in the tenth that the hash sets apart."""
    if task.length(inputs) > task.description.train_lengths[1]:
        return True
    text = " ".join((task.description.name, *task.identity(inputs)))
    return hashlib.blake2b(text.encode(), digest_size=2).digest()[0] < 256 // 10


def draw_training(task: Task, length: int, chance: random.Random) -> Tokens | None:
    """Return a random training input of ``length``; None if many tries found none."""
    for _ in range(_TRIES):
        inputs = task.draw(length, chance)
        if not is_held_out(task, inputs):
            return inputs
    return None


def draw_tests(task: Task, length: int, n: int, seed: int) -> list[Tokens]:
    """Return ``n`` different held-out inputs of ``length``, or fewer where no more were found; the same for a seed."""
    chance = random.Random(f"{task.description.name} {length} {seed}")
    found: dict[Tokens, Tokens] = {}
    for _ in range(_TRIES * n):
        inputs = task.draw(length, chance)
        if is_held_out(task, inputs):
            found.setdefault(task.identity(inputs), inputs)
        if len(found) == n:
            break
    return list(found.values())
