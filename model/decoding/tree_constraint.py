"""A constraint to well-formed trees: matching brackets over all words in order."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.text.linear_trees import TreeSymbols

MAX_UNBROKEN = 6
"""How many brackets may open between two words: as many as in the 4,145 trees that it was chosen on."""


@dataclass(frozen=True)
class _State:
    """The state of a target: labels of open brackets, words so far, brackets opened since the last."""

    labels: tuple[str, ...] = ()
    n_words: int = 0
    n_unbroken: int = 0


class WellFormedTree:
    """Rules out every symbol after which no well-formed tree over ``n_words`` words could follow.

    No bracket is empty, and at most :data:`MAX_UNBROKEN` open between two words, so that each target ends; see
    :func:`longest_tree`.
    """

    def __init__(self, symbols: TreeSymbols, n_words: int) -> None:
        """Take the symbols and the number of words; raises ValueError for less than one."""
        if n_words < 1:
            raise ValueError(f"a tree over {n_words} words was asked for; there must be at least 1")
        self._symbols, self._n_words = symbols, n_words
        kinds = [symbol.kind for symbol in symbols.symbols]
        self._is = {kind: torch.tensor([other == kind for other in kinds]) for kind in set(kinds)}
        self._closes = {symbol.label: place for place, symbol in enumerate(symbols.symbols) if symbol.kind == "close"}

    def __call__(self, targets: Sequence[Sequence[int]], scores: Float[Tensor, "row vocabulary"]) -> None:
        """Set the scores of such symbols, and of all tokens that are no symbols, to −∞.

        A beam that is wider than what is allowed also holds targets that no tree begins with, at −∞: these stay so.
        """
        allowed = torch.stack([self._allowed(_state(self._symbols, tokens)) for tokens in targets])  # [row, symbol]
        first = self._symbols.first
        scores[:, :first] = -torch.inf
        scores[:, first : first + allowed.shape[1]].masked_fill_(~allowed.to(scores.device), -torch.inf)

    def _allowed(self, state: _State | None) -> Bool[Tensor, " symbol"]:
        allowed = torch.zeros(len(self._symbols.symbols), dtype=torch.bool)
        if state is None:
            return allowed | self._is["end"]
        if state.n_words < self._n_words:
            allowed |= self._is["word"]
            if state.n_unbroken < MAX_UNBROKEN:
                allowed |= self._is["open"]
        if state.labels and not state.n_unbroken:
            allowed[self._closes[state.labels[-1]]] = True
        if not state.labels and state.n_words == self._n_words:
            allowed |= self._is["end"]
        return allowed


def longest_tree(n_words: int) -> int:
    """Return the most symbols, the end included, that :class:`WellFormedTree` allows."""
    return n_words * (1 + 2 * MAX_UNBROKEN) + 1


def _state(symbols: TreeSymbols, tokens: Sequence[int]) -> _State | None:
    """Return where a target stands; None where no tree begins so."""
    labels: list[str] = []
    n_words = n_unbroken = 0
    for token in tokens:
        if token < symbols.first:
            return None
        symbol = symbols.symbol(token)
        if symbol.kind == "open":
            labels.append(symbol.label)
            n_unbroken += 1
        elif symbol.kind == "close":
            if n_unbroken or not labels or labels.pop() != symbol.label:
                return None
        elif symbol.kind == "word":
            n_words, n_unbroken = n_words + 1, 0
    return _State(tuple(labels), n_words, n_unbroken)
