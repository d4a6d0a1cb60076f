"""Batches of sentence pairs of similar lengths, bounded in tokens, in an order set by the seed."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from model.data.loading import Pair
from model.text.padding import pad
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID, Tokenizer


@dataclass(frozen=True)
class Batch:
    """Source [B, S] ending in EOS, and target [B, T] from BOS to EOS, both padded on the right."""

    source: Int[Tensor, "batch source"]
    target: Int[Tensor, "batch target"]

    def to(self, device: torch.device) -> "Batch":
        """Return the batch on ``device``."""
        return Batch(self.source.to(device), self.target.to(device))

    def share(self, index: int, n: int) -> "Batch":
        """Return the part number ``index`` of ``n``.

        Where there are fewer rows than parts, it is a row without a target.
        """
        if index < len(self.source):
            return Batch(self.source[index::n], self.target[index::n])
        return Batch(self.source[:1], torch.full_like(self.target[:1], PAD_ID))


@dataclass(frozen=True)
class EncodedPair:
    """A pair as piece ids, without special tokens."""

    source: list[int]
    target: list[int]


def encode_pairs(
    pairs: Sequence[Pair], tokenizer: Tokenizer, *, max_length: int, dropout: float = 0.0, seed: int = 0
) -> list[EncodedPair]:
    """Return ``pairs`` as piece ids.

    Those with an empty side or one longer than ``max_length`` pieces are left out. ``dropout`` and ``seed`` are those
    of :meth:`~model.text.tokenizer.Tokenizer.encode_with_dropout`.
    """
    texts = [pair.source for pair in pairs] + [pair.target for pair in pairs]
    ids = tokenizer.encode_with_dropout(texts, dropout=dropout, seed=seed)
    encoded = map(EncodedPair, ids[: len(pairs)], ids[len(pairs) :])
    return [pair for pair in encoded if 0 < len(pair.source) <= max_length and 0 < len(pair.target) <= max_length]


def plan_batches(
    source_lengths: Sequence[int], target_lengths: Sequence[int], *, tokens_per_batch: int, seed: int, epoch: int
) -> list[list[int]]:
    """Return the rows of each batch of ``epoch``.

    They are of similar lengths, at most ``tokens_per_batch`` target positions.
    """
    rng = np.random.default_rng((seed, epoch))
    order = np.lexsort((rng.random(len(target_lengths)), np.array(source_lengths), np.array(target_lengths)))
    batches: list[list[int]] = [[]]
    for row in order.tolist():
        # Sorted by target length, so the newest row is the widest: BOS or EOS adds one position.
        if (len(batches[-1]) + 1) * (target_lengths[row] + 1) > tokens_per_batch and batches[-1]:
            batches.append([])
        batches[-1].append(row)
    rng.shuffle(batches)
    return batches


class BucketedBatches:
    """Batches of ``pairs`` with at most ``tokens_per_batch`` target positions each, padding included.

    Every epoch sorts the pairs by length, breaking ties at random, cuts the batches and shuffles them; all of it
    follows from ``seed`` and the epoch's number, so that a resumed run has the same batches as one that never stopped.
    """

    def __init__(self, pairs: Sequence[EncodedPair], *, tokens_per_batch: int, seed: int, end_id: int = EOS_ID) -> None:
        """Keep the pairs, whose targets end in ``end_id``; raises ValueError if there is none."""
        if not pairs:
            raise ValueError("there is no sentence pair to train on; check the corpus and max_length")
        self._pairs, self._end_id = pairs, end_id
        self._tokens_per_batch = tokens_per_batch
        self._seed = seed
        self._source_lengths = [len(pair.source) for pair in pairs]
        self._target_lengths = [len(pair.target) for pair in pairs]

    def epoch(self, number: int, *, start: int = 0) -> Iterator[Batch]:
        """Yield the batches of epoch ``number``, from the one with index ``start`` on."""
        for rows in self._plan(number)[start:]:
            source = [[*self._pairs[row].source, EOS_ID] for row in rows]
            target = [[BOS_ID, *self._pairs[row].target, self._end_id] for row in rows]
            yield Batch(pad(source), pad(target))

    def _plan(self, epoch: int) -> list[list[int]]:
        return plan_batches(
            self._source_lengths,
            self._target_lengths,
            tokens_per_batch=self._tokens_per_batch,
            seed=self._seed,
            epoch=epoch,
        )


class ResampledBatches:
    """Batches of pairs that are varied and cut into pieces for every epoch, as BPE-dropout needs.

    Args:
        encode: returns the pairs that follow from a seed; each epoch of each ``seed`` has one of its own.
        tokens_per_batch: as :class:`BucketedBatches`.
        seed: as :class:`BucketedBatches`.
        end_id: as :class:`BucketedBatches`.
    """

    def __init__(
        self,
        encode: Callable[[int], Sequence[EncodedPair]],
        *,
        tokens_per_batch: int,
        seed: int,
        end_id: int = EOS_ID,
    ) -> None:
        """Keep what makes the batches; raises ValueError if the first epoch has no pair."""
        self._encode, self._end_id = encode, end_id
        self._tokens_per_batch = tokens_per_batch
        self._seed = seed
        self._bucketed(0)

    def epoch(self, number: int, *, start: int = 0) -> Iterator[Batch]:
        """Yield the batches of epoch ``number``, from the one with index ``start`` on."""
        return self._bucketed(number).epoch(number, start=start)

    def _bucketed(self, epoch: int) -> BucketedBatches:
        # A sum would give neighbouring seeds the same pairs, an epoch apart.
        pairs = self._encode(random.Random(f"{self._seed} {epoch}").getrandbits(31))
        return BucketedBatches(pairs, tokens_per_batch=self._tokens_per_batch, seed=self._seed, end_id=self._end_id)
