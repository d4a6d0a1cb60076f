"""Batches: every pair once an epoch, bounded, alike in length, and decided by seed and epoch alone."""

import random
from collections import Counter

import pytest
import torch

from model.data.loading import Pair
from model.text.padding import pad
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID, Tokenizer
from model.training.translation.batches import Batch, BucketedBatches, EncodedPair, ResampledBatches, encode_pairs

BOUND = 60


def encoded(n: int = 120, longest: int = 20) -> list[EncodedPair]:
    return [EncodedPair(*([random.randrange(4, 99)] * random.randint(1, longest) for _ in range(2))) for _ in range(n)]


def content(batch: Batch) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The pairs of a batch, after checking that BOS, EOS and padding stand where they must."""
    pairs = []
    for source, target in zip(batch.source.tolist(), batch.target.tolist(), strict=True):
        n_source, n_target = source.index(EOS_ID), target.index(EOS_ID)
        assert target[0] == BOS_ID
        assert set(source[n_source + 1 :]) <= {PAD_ID}
        assert set(target[n_target + 1 :]) <= {PAD_ID}
        pairs.append((tuple(source[:n_source]), tuple(target[1:n_target])))
    return pairs


def epoch(pairs: list[EncodedPair], number: int = 0, *, seed: int = 1, start: int = 0) -> list[list]:
    batches = BucketedBatches(pairs, tokens_per_batch=BOUND, seed=seed)
    return [content(batch) for batch in batches.epoch(number, start=start)]


def test_every_pair_comes_exactly_once_an_epoch() -> None:
    pairs = encoded()
    expected = Counter((tuple(pair.source), tuple(pair.target)) for pair in pairs)
    for number in range(3):
        assert Counter(pair for batch in epoch(pairs, number) for pair in batch) == expected


def test_no_batch_has_more_target_positions_than_allowed() -> None:
    sizes = [
        batch.target[:, 1:].numel() for batch in BucketedBatches(encoded(), tokens_per_batch=BOUND, seed=1).epoch(0)
    ]
    assert max(sizes) <= BOUND
    assert sum(sizes) / len(sizes) > 0.8 * BOUND


def test_a_pair_longer_than_a_batch_stands_alone() -> None:
    pairs = [EncodedPair([5], [6] * (2 * BOUND)), EncodedPair([5], [7]), EncodedPair([5], [8])]
    assert sorted(len(batch) for batch in epoch(pairs)) == [1, 2]


def test_sentences_of_a_batch_are_alike_in_length() -> None:
    pairs = encoded(600)
    n_padding = n_positions = 0
    for batch in BucketedBatches(pairs, tokens_per_batch=BOUND, seed=1).epoch(0):
        n_padding += int((batch.target == PAD_ID).sum())
        n_positions += batch.target.numel()
    assert n_padding < 0.05 * n_positions


def test_seed_and_epoch_decide_everything() -> None:
    pairs = encoded()
    assert epoch(pairs, 3) == epoch(pairs, 3)
    assert epoch(pairs, 3) != epoch(pairs, 4)
    assert epoch(pairs, 3, seed=1) != epoch(pairs, 3, seed=2)


def test_an_epoch_goes_on_from_any_batch() -> None:
    pairs = encoded()
    whole = epoch(pairs, 2)
    for start in (0, 1, 5, len(whole) - 1, len(whole)):
        assert epoch(pairs, 2, start=start) == whole[start:]


def test_no_pair_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="no sentence pair to train on; check the corpus and max_length"):
        BucketedBatches([], tokens_per_batch=BOUND, seed=1)


def test_empty_and_long_sentences_are_left_out(tokenizer: Tokenizer) -> None:
    short, long = "Tom", "Tom sees the ball and my dog."
    n_long = len(tokenizer.encode(long))
    pairs = [Pair(*texts) for texts in ((short, short), ("", short), (short, "  "), (long, short), (short, long))]
    kept = encode_pairs(pairs, tokenizer, max_length=n_long - 1)
    assert kept == [EncodedPair(tokenizer.encode(short), tokenizer.encode(short))]
    assert len(encode_pairs(pairs, tokenizer, max_length=n_long)) == 3


def test_resampled_batches_hold_the_pairs_of_their_epoch() -> None:
    by_seed: dict[int, list[EncodedPair]] = {}

    def encode(seed: int) -> list[EncodedPair]:
        return by_seed.setdefault(seed, encoded())

    batches = ResampledBatches(encode, tokens_per_batch=BOUND, seed=1)
    for number in (0, 1, 2, 0):
        resumed = [content(batch) for batch in batches.epoch(number, start=2)]
        assert resumed == epoch(list(by_seed.values())[number], number, start=2)
    with pytest.raises(ValueError, match="no sentence pair to train on"):
        ResampledBatches(lambda _: [], tokens_per_batch=BOUND, seed=1)


def test_no_two_seeds_of_a_run_vary_their_pairs_alike_in_any_epochs() -> None:
    seeds: list[int] = []

    def encode(seed: int) -> list[EncodedPair]:
        seeds.append(seed)
        return [EncodedPair([5], [6])]

    for seed in range(1, 6):
        batches = ResampledBatches(encode, tokens_per_batch=BOUND, seed=seed)
        for number in range(1, 40):
            next(batches.epoch(number))
    assert len(set(seeds)) == len(seeds) == 5 * 40


def test_padding_is_on_the_right() -> None:
    assert torch.equal(pad([[5, 6], [7], []]), torch.tensor([[5, 6], [7, PAD_ID], [PAD_ID, PAD_ID]]))
