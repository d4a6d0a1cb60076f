"""What a search weighed, as a tree: every candidate a node below the beginning that it goes on from."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from model.decoding.beam_search import DecodingOptions, SearchStep

Fate = Literal["kept", "finished", "pruned"]


@dataclass(frozen=True)
class Candidate:
    """A beginning of a target, by its last token.

    Attributes:
        step: when it was weighed, from 0; it is a column of the tree.
        rank: its place among the candidates of its step, the most probable whole first, from 0.
        parent: the number of the candidate that it goes on from; None where that is the search's own beginning.
        token: its last.
        log_probability: of that token.
        total: log-probability of all its tokens, those of a given beginning among them.
        score: what it would be ranked by if it ended here.
        fate: whether the search went on from it, closed it as a hypothesis, or left it.
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
    """Return all candidates of ``steps``, which went on from ``n_prefix`` given tokens; parents come first."""
    found: list[Candidate] = []
    beams: tuple[int | None, ...] = (None,)
    for number, step in enumerate(steps):
        penalty = options.penalty(n_prefix + number + 1)
        numbers: dict[int, int] = {}
        for rank, total in enumerate(step.totals):
            if math.isinf(total):
                continue
            numbers[rank] = len(found)
            fate: Fate = "finished" if rank in step.finished else "kept" if rank in step.kept else "pruned"
            added = step.log_probabilities[rank]
            parent = beams[step.beams[rank]]
            found.append(Candidate(number, rank, parent, step.tokens[rank], added, total, total / penalty, fate))
        beams = tuple(numbers.get(rank) for rank in step.kept)
    return tuple(found)


def tokens_to(candidates: Sequence[Candidate], number: int) -> tuple[int, ...]:
    """Return the tokens of candidate ``number`` from the search's beginning on."""
    tokens: list[int] = []
    at: int | None = number
    while at is not None:
        tokens.append(candidates[at].token)
        at = candidates[at].parent
    return tuple(reversed(tokens))
