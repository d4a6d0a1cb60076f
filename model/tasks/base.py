"""The base of algorithmic tasks: inputs of a chosen length, the right answer, both as tokens.

A model reads BOS and the prompt (the input and whatever the task adds to it), and must write the answer and EOS. The
protocol is that of Kazemnejad et al. 2023 (arXiv:2305.19466): train on short inputs, test on longer ones, measure exact
match.

No input is used for both training and tests. Inputs longer than the trained lengths are only for tests. Of the shorter
ones, a hash of the input holds out a tenth, or the task's own share, the same for every seed. If few inputs of a length
exist (26 that repeat one letter; 4 pairs of bits), few or none are held out: a test then uses each of them once and
reports their number. At trained lengths, validation and test draw from one held-out set, so that a test may have inputs
that chose the checkpoint; where they are few, all of them did. Longer inputs never choose it.
"""

import hashlib
import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

Tokens = tuple[str, ...]

Family = Literal["state", "position", "counting", "content", "order"]
"""What a task asks of positions: follow a state that each token changes, find a token by its place, count, find a token
by what stands beside it, or put tokens in order."""

ASK = ">"
LETTERS: Tokens = tuple("abcdefghijklmnopqrstuvwxyz")
DIGITS: Tokens = tuple("0123456789")

_MAX_TRIES = 60


class TaskInputError(ValueError):
    """A text or a length for which a task has no input.

    ``key`` names the mistake; ``values`` are its numbers and pieces. The page that shows the error has a sentence for
    each key, with fields from ``values`` and the task's description. The keys are "nothing", "unknown token"
    (``token``), "wrong form" (``given``, ``form``), "too long" (``length``), "answer too long" (``length``, ``unit``,
    ``longest_answer``) and "no such length" (``length``).
    """

    def __init__(self, key: str, **values: str | int) -> None:
        """Keep the parts of the sentence."""
        super().__init__(key)
        self.key = key
        self.values = values

    def __str__(self) -> str:
        """Return the key with its values."""
        return f"{self.key}: {', '.join(f'{name} = {value!r}' for name, value in self.values.items())}"


@dataclass(frozen=True)
class TaskDescription:
    """The description of a task for selectors, figures and training.

    Attributes:
        name: the name in the registry.
        title: the name on the screen.
        explanation: one sentence that says what to do.
        example: an input as a person would type it.
        unit: what the length counts, in the plural.
        symbols: the tokens of an input, in words.
        alphabet: the tokens of an input.
        more_tokens: further tokens of prompts and answers.
        train_lengths: shortest and longest training input.
        test_lengths: the lengths to measure, trained ones among them.
        longest: the longest input that is accepted.
        guessed: exact match of guessing on long inputs: 1 / n if the answer is one of n symbols.
        paper: the source of the task, or of this way of writing it.
        family: what it asks of positions, if that is one thing alone; rankings take each family as one.
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
    family: Family | None = None

    @property
    def has_longer_inputs(self) -> bool:
        """Whether it is measured on inputs that are longer than any trained one."""
        return self.test_lengths[-1] > self.train_lengths[1]


class Task(ABC):
    """Base of every task: :meth:`draw` and :meth:`solve` are required; the other methods have defaults."""

    description: ClassVar[TaskDescription]
    longest_shift: ClassVar[int] = 0
    """The largest shift that training may add to the positions of :meth:`positions`."""
    held_out_share: ClassVar[float] = 0.1
    """Of the inputs of trained lengths, the share that is for tests alone."""
    has_end: ClassVar[bool] = True
    """Whether EOS follows the answer; it does not where every answer is one token."""
    separator: ClassVar[str] = ""
    """What stands between two tokens of a text."""

    @abstractmethod
    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return a random input of ``length``."""

    @abstractmethod
    def solve(self, inputs: Tokens) -> Tokens:
        """Return the one right answer to ``inputs``."""

    def prompt(self, inputs: Tokens) -> Tokens:
        """Return the prompt, without BOS."""
        return (*inputs, ASK)

    def training_lengths(self) -> tuple[int, ...]:
        """Return every length to train on."""
        low, high = self.description.train_lengths
        return tuple(range(low, high + 1))

    def length(self, inputs: Tokens) -> int:
        """Return the length of ``inputs``, in the unit of the task."""
        return len(inputs)

    def identity(self, inputs: Tokens) -> Tokens:
        """Return what identifies an input in the split into training and test."""
        return inputs

    def positions(self, inputs: Tokens) -> tuple[int, ...] | None:
        """Return the positions of BOS, prompt, answer and EOS; None to count them from 0."""
        return None

    def split(self, text: str) -> Tokens:
        """Return the tokens of a typed ``text``: what the separator parts, or each character but white space."""
        words = text.split()
        return tuple(words if self.separator else "".join(words))

    def join(self, tokens: Tokens) -> str:
        """Return ``tokens`` as text that a person reads and types."""
        return self.separator.join(tokens)

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return typed ``tokens`` of the alphabet as an input; raise :meth:`refuse` if they form none."""
        return tokens

    def is_right(self, inputs: Tokens, answer: Tokens) -> bool:
        """Whether ``answer``, without EOS, is the right one."""
        return answer == self.solve(inputs)

    def parse(self, text: str) -> Tokens:
        """Return the input that ``text`` stands for.

        Raises:
            TaskInputError: an empty text, a token outside the alphabet, a wrong form, or an input that is too long.
        """
        tokens = self.split(text)
        if not tokens:
            raise TaskInputError("nothing")
        unknown = next((token for token in tokens if token not in self.description.alphabet), None)
        if unknown is not None:
            raise TaskInputError("unknown token", token=unknown[:20])
        inputs = self.arrange(tokens)
        length = self.length(inputs)
        if length > self.description.longest:
            raise TaskInputError("too long", length=length)
        return inputs

    def refuse(self, tokens: Tokens, form: str) -> TaskInputError:
        """Return the error for typed ``tokens`` that do not have the ``form`` of the task's inputs."""
        text = self.join(tokens)
        return TaskInputError("wrong form", given=text if len(text) <= 40 else f"{text[:37]}…", form=form)


def lengths_to_measure(longest_trained: int, farthest: int | None = None) -> tuple[int, ...]:
    """Return lengths up to ``longest_trained``, then close ones, then up to five times as long."""
    top = longest_trained
    inside = {max(1, round(top * share)) for share in (0.25, 0.5, 0.75, 1)}
    near = {top + 1, top + 2, *(round(top * share) for share in (1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2))}
    far = {round(top * share) for share in (2.5, 3, 4, 5)}
    limit = 5 * top if farthest is None else farthest
    return tuple(sorted(length for length in inside | near | far if length <= limit))


def is_held_out(task: Task, inputs: Tokens) -> bool:
    """Whether ``inputs`` are for tests: longer than any trained length, or held out by their hash."""
    if task.length(inputs) > task.description.train_lengths[1]:
        return True
    text = " ".join((task.description.name, *task.identity(inputs)))
    return hashlib.blake2b(text.encode(), digest_size=2).digest()[0] < int(256 * task.held_out_share)


def draw_training(task: Task, length: int, rng: random.Random) -> Tokens | None:
    """Return a random training input of ``length``; None if many tries gave only held-out ones."""
    for _ in range(_MAX_TRIES):
        inputs = task.draw(length, rng)
        if not is_held_out(task, inputs):
            return inputs
    return None


def draw_tests(task: Task, length: int, n: int, seed: int) -> list[Tokens]:
    """Return up to ``n`` different held-out inputs of ``length``, the same for a seed."""
    rng = random.Random(f"{task.description.name} {length} {seed}")
    tests: dict[Tokens, Tokens] = {}
    for _ in range(_MAX_TRIES * n):
        inputs = task.draw(length, rng)
        if is_held_out(task, inputs):
            tests.setdefault(task.identity(inputs), inputs)
        if len(tests) == n:
            break
    return list(tests.values())
