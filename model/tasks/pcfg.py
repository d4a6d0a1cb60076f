"""PCFG: nested functions that edit strings (Hupkes et al. 2020)."""

import random
import string
from collections.abc import Callable

from model.tasks.base import ASK, Task, TaskDescription, TaskInputError, Tokens
from model.tasks.registry import register

COMMA = ","
LETTERS: Tokens = tuple(string.ascii_uppercase)
UNARY: dict[str, Callable[[Tokens], Tokens]] = {
    "copy": lambda x: x,
    "reverse": lambda x: x[::-1],
    "shift": lambda x: x[1:] + x[:1],
    "swap": lambda x: x if len(x) == 1 else (x[-1], *x[1:-1], x[0]),
    "repeat": lambda x: x + x,
    "echo": lambda x: (*x, x[-1]),
}
BINARY: dict[str, Callable[[Tokens, Tokens], Tokens]] = {
    "append": lambda x, y: x + y,
    "prepend": lambda x, y: y + x,
    "remove_first": lambda x, y: y,  # noqa: ARG005
    "remove_second": lambda x, y: x,  # noqa: ARG005
}
_MAX_LETTERS = 4
_MAX_ANSWER_LENGTH = 40
_FORM = "functions before what they act on, a comma between two arguments, for example append reverse A B , C"


@register
class Pcfg(Task):
    """Nested functions that reverse, repeat or join strings of letters; the length counts the functions.

    The published data follow the statistics of English; here every function is equally likely, strings have up to four
    of 26 letters, and answers have at most 40.
    """

    description = TaskDescription(
        name="pcfg",
        title="PCFG",
        explanation="Carry out the functions, the innermost first, and write the string that is left.",
        example="append reverse A B , C",
        unit="functions",
        symbols="function names, capitals and commas, with spaces between them",
        alphabet=(*UNARY, *BINARY, *LETTERS, COMMA),
        train_lengths=(1, 8),
        test_lengths=(2, 4, 6, 8, 9, 10, 11, 12, 13, 14, 16, 20, 24, 28, 35),
        longest=35,
        more_tokens=(ASK,),
        paper="Hupkes et al. 2020, arXiv:1908.08351; Kazemnejad et al. 2023, arXiv:2305.19466",
    )

    separator = " "

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return an expression of ``length`` functions whose answer is short enough."""
        while True:
            expression = _draw(length, rng)
            if len(self.solve(expression)) <= _MAX_ANSWER_LENGTH:
                return expression

    def length(self, inputs: Tokens) -> int:
        """Return the number of functions."""
        return sum(token in UNARY or token in BINARY for token in inputs)

    def split(self, text: str) -> Tokens:
        """Return the words and commas of ``text``."""
        return tuple(text.replace(COMMA, f" {COMMA} ").split())

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if they are an expression with at least one function and a short enough answer."""
        n_functions = self.length(tokens)
        if n_functions > self.description.longest:
            return tokens  # parse() refuses its length; to evaluate it could exceed the recursion limit
        try:
            answer, rest = _evaluate(tokens)
        except (IndexError, ValueError):
            answer, rest = (), tokens
        if rest or n_functions == 0:
            raise self.refuse(tokens, _FORM)
        if len(answer) > _MAX_ANSWER_LENGTH:
            raise TaskInputError(
                "answer too long", length=len(answer), unit="letters", longest_answer=_MAX_ANSWER_LENGTH
            )
        return tokens

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the value of the expression."""
        return _evaluate(inputs)[0]


def _draw(n_functions: int, rng: random.Random) -> Tokens:
    if n_functions == 0:
        return tuple(rng.choices(LETTERS, k=rng.randint(1, _MAX_LETTERS)))
    function = rng.choice((*UNARY, *BINARY))
    if function in UNARY:
        return (function, *_draw(n_functions - 1, rng))
    n_first = rng.randint(0, n_functions - 1)
    return (function, *_draw(n_first, rng), COMMA, *_draw(n_functions - 1 - n_first, rng))


def _evaluate(tokens: Tokens) -> tuple[Tokens, Tokens]:
    """Return the value of the expression at the start of ``tokens``, and the tokens after it."""
    head, rest = tokens[0], tokens[1:]
    if head in UNARY:
        value, rest = _evaluate(rest)
        return UNARY[head](value), rest
    if head in BINARY:
        first, rest = _evaluate(rest)
        if rest[0] != COMMA:
            raise ValueError("no comma after the first argument")
        second, rest = _evaluate(rest[1:])
        return BINARY[head](first, second), rest
    n_letters = next((index for index, token in enumerate(tokens) if token not in LETTERS), len(tokens))
    if n_letters == 0:
        raise ValueError("no letter")
    return tokens[:n_letters], tokens[n_letters:]
