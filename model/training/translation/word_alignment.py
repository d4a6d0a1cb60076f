"""Words of a sentence pair that translate each other: IBM Model 1, read both ways.

Brown et al. 1993, §4.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

N_ITERATIONS = 5

Words = Sequence[Sequence[str]]
Links = list[tuple[int, int]]


@dataclass(frozen=True)
class _Corpus:
    """All pairs of words that stand in one sentence pair.

    Attributes:
        places: the sentence's pair of places of each.
        targets: the number of the target place over the whole corpus; each is explained by the words of its source.
        entries: which distinct pair of words it is.
        owners: the source word of each distinct pair.
    """

    places: Int[ndarray, "links 2"]
    targets: Int[ndarray, " links"]
    entries: Int[ndarray, " links"]
    owners: Int[ndarray, " entries"]


def align(source: Words, target: Words) -> list[Links]:
    """Return for each sentence pair the (source, target) places that translate each other.

    Each is the other's likeliest translation. Each side of a pair has a word.
    """
    forward, backward = _likeliest(source, target), _likeliest(target, source)
    return [
        sorted({(i, j) for j, i in enumerate(there) if back[i] == j})
        for there, back in zip(forward, backward, strict=True)
    ]


def _likeliest(source: Words, target: Words) -> list[list[int]]:
    """Return for each target place the source place that translates it most likely."""
    corpus = _corpus(source, target)
    translation = _translation_probabilities(corpus)[corpus.entries]
    # Sorted by target place, then by probability: the last of each target place is its likeliest.
    order = np.lexsort((translation, corpus.targets))
    last = np.flatnonzero(np.diff(corpus.targets[order], append=-1))
    best = iter(corpus.places[order[last], 0].tolist())
    return [[next(best) for _ in words] for words in target]


def _translation_probabilities(corpus: _Corpus) -> Float[ndarray, " entries"]:
    """Return t(target word | source word) of each distinct pair.

    It is found by expectation maximisation from the uniform distribution.
    """
    translation = np.ones(len(corpus.owners))
    for _ in range(N_ITERATIONS):
        weights = translation[corpus.entries]
        weights /= np.bincount(corpus.targets, weights)[corpus.targets]
        counts = np.bincount(corpus.entries, weights, minlength=len(corpus.owners))
        translation = counts / np.bincount(corpus.owners, counts)[corpus.owners]
    return translation


def _corpus(source: Words, target: Words) -> _Corpus:
    numbers: dict[str, int] = {}
    source_ids, target_ids = (
        [np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64) for words in side]
        for side in (source, target)
    )
    places, keys, targets, n_targets = [], [], [], 0
    for words, others in zip(source_ids, target_ids, strict=True):
        i, j = np.divmod(np.arange(len(words) * len(others)), max(1, len(others)))
        places.append(np.stack((i, j), axis=1))
        keys.append(words[i] * len(numbers) + others[j])
        targets.append(n_targets + j)
        n_targets += len(others)
    distinct, entries = np.unique(np.concatenate(keys), return_inverse=True)
    return _Corpus(np.concatenate(places), np.concatenate(targets), entries, distinct // len(numbers))
