"""The candidates of a search as a tree: each is a node below the candidate that it continues."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from model.decoding.beam_search import SearchStep
from model.decoding.options import DecodingOptions

Fate = Literal["kept", "finished", "pruned"]


@dataclass(frozen=True)
class Candidate:
    """The beginning of a target, by its last token.

    Attributes:
        step: the step of the search, from 0; a column of the tree.
        rank: its place among the candidates of its step, the most probable whole first, from 0.
        parent: the number of the candidate that it continues; None at the first step.
        token: its last token.
        log_probability: of that token.
        total: log-probability of all its tokens, those of the prefix among them.
        score: the score that it would be ranked by if it ended here.
        fate: whether the search kept it, finished it as a hypothesis, or pruned it.
    """

    step: int
    rank: int
    parent: int | None
    token: int
    log_probability: float
    total: float
    score: float
    fate: Fate


def beam_tree(steps: Sequence[SearchStep], options: DecodingOptions, n_prefix: int) -> tuple[Candidate, ...]:
    """Return all candidates of ``steps``, those of a search after ``n_prefix`` tokens; parents come first."""
    candidates: list[Candidate] = []
    beams: tuple[int | None, ...] = (None,)
    for number, step in enumerate(steps):
        penalty = options.penalty(n_prefix + number + 1)
        numbers: dict[int, int] = {}
        for rank, total in enumerate(step.totals):
            if math.isinf(total):
                continue
            numbers[rank] = len(candidates)
            fate: Fate = "finished" if rank in step.finished else "kept" if rank in step.kept else "pruned"
            added = step.log_probabilities[rank]
            parent = beams[step.beams[rank]]
            candidates.append(Candidate(number, rank, parent, step.tokens[rank], added, total, total / penalty, fate))
        beams = tuple(numbers.get(rank) for rank in step.kept)
    return tuple(candidates)


def tokens_to(candidates: Sequence[Candidate], number: int) -> tuple[int, ...]:
    """Return the tokens of candidate ``number``, without those of the prefix."""
    tokens: list[int] = []
    at: int | None = number
    while at is not None:
        tokens.append(candidates[at].token)
        at = candidates[at].parent
    return tuple(reversed(tokens))
