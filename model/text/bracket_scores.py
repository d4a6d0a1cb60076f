"""Bracketing scores as EVALB counts them (Sekine and Collins 1997, with the parameters of Collins)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from model.text.trees import Span, Tree, spans, words

PUNCTUATION = frozenset((",", ":", "``", "''", "."))
"""Parts of speech that are taken out before constituents are compared."""

_LENGTH_STEP = 10
_SAME_LABEL = {"PRT": "ADVP"}


@dataclass(frozen=True)
class BracketCounts:
    """The numbers of constituents of two trees, and of those that they share; counts can be added."""

    shared: int = 0
    predicted: int = 0
    gold: int = 0

    def __add__(self, other: "BracketCounts") -> "BracketCounts":
        """Return the sums."""
        return BracketCounts(self.shared + other.shared, self.predicted + other.predicted, self.gold + other.gold)

    @property
    def precision(self) -> float:
        """The share of the predicted constituents that the gold tree has; 0 without any."""
        return self.shared / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of the gold constituents that were predicted; 0 without any."""
        return self.shared / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return 2 * self.shared / (self.predicted + self.gold) if self.predicted + self.gold else 0.0


def bracket_counts(predicted: Tree, gold: Tree, *, labelled: bool = True) -> BracketCounts:
    """Return what ``predicted`` and ``gold``, trees over the same words, share.

    The words that the gold tree tags as punctuation are taken out of both, and constituents without other words with
    them. A label that is chosen twice for the same words counts twice.
    """
    first, second = (Counter(_compared(tree, gold, labelled)) for tree in (predicted, gold))
    return BracketCounts((first & second).total(), first.total(), second.total())


def counts_by_label(predicted: Tree, gold: Tree) -> dict[str, BracketCounts]:
    """Return the counts of each label that one of the trees has."""
    first, second = (list(_compared(tree, gold, labelled=True)) for tree in (predicted, gold))
    labels = {span.label for span in (*first, *second)}
    return {label: _counts(first, second, label) for label in sorted(labels)}


def corpus_scores(predicted: Sequence[Tree], gold: Sequence[Tree]) -> dict[str, float]:
    """Return labelled F1, precision and recall, and unlabelled F1, in percent, of a corpus.

    A prediction without constituents stands for one that is no tree.
    """
    pairs = list(zip(predicted, gold, strict=True))
    labelled = total(bracket_counts(one, other) for one, other in pairs)
    unlabelled = total(bracket_counts(one, other, labelled=False) for one, other in pairs)
    scores = {
        "f1": labelled.f1,
        "precision": labelled.precision,
        "recall": labelled.recall,
        "unlabelled_f1": unlabelled.f1,
    }
    return {name: round(100 * value, 2) for name, value in scores.items()}


def scores_by_length(predicted: Sequence[Tree], gold: Sequence[Tree]) -> dict[int, BracketCounts]:
    """Return the labelled counts of sentences of at most 10 words, 20 words, and so on."""
    by_length: dict[int, BracketCounts] = {}
    for one, other in zip(predicted, gold, strict=True):
        longest = -(-len(words(other)) // _LENGTH_STEP) * _LENGTH_STEP
        by_length[longest] = by_length.get(longest, BracketCounts()) + bracket_counts(one, other)
    return dict(sorted(by_length.items()))


def total(counts: Iterable[BracketCounts]) -> BracketCounts:
    """Return the sum of ``counts``, for the precision and recall of a corpus."""
    return sum(counts, BracketCounts())


def _counts(first: Sequence[Span], second: Sequence[Span], label: str) -> BracketCounts:
    one, other = (Counter(span for span in constituents if span.label == label) for constituents in (first, second))
    return BracketCounts((one & other).total(), one.total(), other.total())


def _compared(tree: Tree, gold: Tree, labelled: bool) -> Iterable[Span]:
    places = _places(gold)
    for span in spans(tree):
        start, end = places[span.start], places[span.end]
        if end > start:
            yield Span(_SAME_LABEL.get(span.label, span.label) if labelled else "", start, end)


def _places(gold: Tree) -> list[int]:
    """Return, for each number of words, how many of them are no punctuation."""
    places = [0]
    for word in words(gold):
        places.append(places[-1] + (word.tag not in PUNCTUATION))
    return places
