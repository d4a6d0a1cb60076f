"""Batches of sentence pairs: alike in length, bounded in tokens, in an order that the seed alone decides."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from model.data import Pair
from model.padding import pad
from model.tokenizer import BOS_ID, EOS_ID, Tokenizer


@dataclass(frozen=True)
class Batch:
    """Source [B, S] ending in EOS, and target [B, T] from BOS to EOS, both padded on the right."""

    source: Int[Tensor, "batch source"]
    target: Int[Tensor, "batch target"]

    def to(self, device: torch.device) -> "Batch":
        """Return the batch on ``device``."""
        return Batch(self.source.to(device), self.target.to(device))


@dataclass(frozen=True)
class EncodedPair:
    """A pair as piece ids, without special tokens."""

    source: list[int]
    target: list[int]


def encode_pairs(pairs: Sequence[Pair], tokenizer: Tokenizer, *, max_length: int) -> list[EncodedPair]:
    """Return ``pairs`` as piece ids, leaving out those with an empty side or one longer than ``max_length`` pieces."""
    encoded = (EncodedPair(tokenizer.encode(pair.source), tokenizer.encode(pair.target)) for pair in pairs)
    return [pair for pair in encoded if 0 < len(pair.source) <= max_length and 0 < len(pair.target) <= max_length]


class BucketedBatches:
    """Batches of ``pairs`` with at most ``tokens_per_batch`` target positions each, padding included.

    Every epoch sorts the pairs by length, breaking ties at random, cuts the batches and shuffles them; ``seed`` and the
    epoch's number decide all of it, so that a resumed run goes on with the batches it would have had.
    """

    def __init__(self, pairs: Sequence[EncodedPair], *, tokens_per_batch: int, seed: int) -> None:
        """Keep the pairs; raises ValueError if there is none."""
        if not pairs:
            raise ValueError("there is no sentence pair to train on; check the corpus and max_length")
        self._pairs = pairs
        self._tokens_per_batch = tokens_per_batch
        self._seed = seed
        self._source_lengths = np.array([len(pair.source) for pair in pairs])
        self._target_lengths = np.array([len(pair.target) for pair in pairs])

    def epoch(self, number: int, *, start: int = 0) -> Iterator[Batch]:
        """Yield the batches of epoch ``number``, from the one with index ``start`` on."""
        for rows in self._plan(number)[start:]:
            source = [[*self._pairs[row].source, EOS_ID] for row in rows]
            target = [[BOS_ID, *self._pairs[row].target, EOS_ID] for row in rows]
            yield Batch(pad(source), pad(target))

    def _plan(self, epoch: int) -> list[list[int]]:
        random = np.random.default_rng((self._seed, epoch))
        order = np.lexsort((random.random(len(self._pairs)), self._source_lengths, self._target_lengths))
        batches: list[list[int]] = [[]]
        for row in order.tolist():
            # Sorted by target length, so the newest row is the widest: BOS or EOS adds one position.
            if (len(batches[-1]) + 1) * (self._target_lengths[row] + 1) > self._tokens_per_batch and batches[-1]:
                batches.append([])
            batches[-1].append(row)
        random.shuffle(batches)
        return batches
