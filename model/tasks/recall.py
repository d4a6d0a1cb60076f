"""Associative recall with several queries (Arora et al. 2023): values by their keys."""

import random
import re

from model.tasks.base import ASK, DIGITS, Task, TaskDescription, Tokens, lengths_to_measure
from model.tasks.lego import VARIABLES as KEYS
from model.tasks.registry import register

QUERY = "?"
N_QUERIES = 3
_LONE_SHARE = 1 / 3
_PAIRS = re.compile(r"(?:([A-Za-z])([0-9])[0-9]?)+")
_PAIR = re.compile(r"([A-Za-z])([0-9])")


@register
class Recall(Task):
    """Letters with a digit each, among lone digits in random order; then the letters to recall.

    Where a pair stands says nothing of its digit, and the lone digits shift all places. The answer repeats each letter,
    so that no step has to count back to the one that is asked for.
    """

    description = TaskDescription(
        name="recall",
        title="Associative recall",
        explanation="Write the three letters after ? once more, each with the digit that stands right after it before.",
        example="k37b4x91c2?bkc",
        unit="pairs",
        symbols="letters with a digit each, ? and three of the letters",
        alphabet=(*KEYS, *DIGITS, QUERY),
        train_lengths=(N_QUERIES, 8),
        test_lengths=tuple(length for length in lengths_to_measure(8) if length >= N_QUERIES),
        longest=40,
        more_tokens=(ASK,),
        guessed=1 / 10**N_QUERIES,
        paper="Arora et al. 2023, arXiv:2312.04927",
        family="content",
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return ``length`` pairs of different letters, a digit alone after a third of them, and the queries."""
        keys = rng.sample(KEYS, length)
        pairs = (
            (key, rng.choice(DIGITS), *([rng.choice(DIGITS)] if rng.random() < _LONE_SHARE else ())) for key in keys
        )
        return (*(token for pair in pairs for token in pair), QUERY, *rng.sample(keys, N_QUERIES))

    def length(self, inputs: Tokens) -> int:
        """Return the number of pairs."""
        return sum(token in KEYS for token in inputs[: inputs.index(QUERY)])

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if they are pairs of different letters and as many queries as are trained."""
        pairs, _, queries = "".join(tokens).partition(QUERY)
        keys = [key for key, _ in _PAIR.findall(pairs)]
        is_known = len(set(queries)) == len(queries) == N_QUERIES and set(queries) <= set(keys)
        if not _PAIRS.fullmatch(pairs) or len(set(keys)) < len(keys) or not is_known:
            form = "different letters with one or two digits each, then ? and three of these letters"
            raise self.refuse(tokens, f"{form}, for example {self.description.example}")
        return tokens

    def solve(self, inputs: Tokens) -> Tokens:
        """Return each letter that is asked for with the digit right after it."""
        end = inputs.index(QUERY)
        return tuple(token for key in inputs[end + 1 :] for token in (key, inputs[inputs.index(key) + 1]))
