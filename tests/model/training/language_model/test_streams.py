"""Streams: every character read once, each row going on where it was; and the memory that goes with them."""

import pytest
import torch
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig
from model.positional import PositionalConfig
from model.training.language_model.loss import LOSSES, full_loss, half_loss
from model.training.language_model.streams import Segment, StreamLoss, TextStreams, cut_rows

TEXT = torch.arange(1000)


def epoch(number: int = 0, start: int = 0, seed: int = 1) -> list[Segment]:
    streams = TextStreams(TEXT, n_streams=7, segment_length=9, seed=seed)
    return list(streams.epoch(number, start=start))


@pytest.mark.parametrize("number", range(5))
def test_each_stream_goes_on_where_it_was_and_no_character_is_read_twice(number: int) -> None:
    segments = epoch(number)
    read = torch.cat([segment.tokens for segment in segments], dim=1)
    assert torch.equal(read[:, 1:], read[:, :-1] + 1)
    assert torch.equal(torch.cat([segment.targets for segment in segments], dim=1), read + 1)
    assert len(read.unique()) == read.numel()
    assert read.numel() > 1000 - 9 - 7 * 9 - 7
    assert all(segment.tokens.shape == (7, 9) for segment in segments)
    assert [segment.is_first for segment in segments] == [True] + [False] * (len(segments) - 1)


def test_epochs_cut_the_text_elsewhere_and_the_seed_decides_where() -> None:
    first = [int(epoch(number)[0].tokens[0, 0]) for number in range(8)]
    assert len(set(first)) > 2
    assert max(first) < 9
    assert first == [int(epoch(number)[0].tokens[0, 0]) for number in range(8)]
    assert first != [int(epoch(number, seed=2)[0].tokens[0, 0]) for number in range(8)]


@pytest.mark.parametrize("start", [0, 1, 5])
def test_an_epoch_can_be_entered_anywhere(start: int) -> None:
    for ours, whole in zip(epoch(2, start), epoch(2)[start:], strict=True):
        assert torch.equal(ours.tokens, whole.tokens)
        assert ours.is_first == whole.is_first


def test_a_text_that_is_just_long_enough_has_a_segment_in_every_epoch() -> None:
    streams = TextStreams(TEXT[: 7 * 9 + 9], n_streams=7, segment_length=9, seed=0)
    assert all(list(streams.epoch(number)) for number in range(30))
    with pytest.raises(ValueError, match=r"has 71 characters; 7 streams of segments of 9 need 72"):
        TextStreams(TEXT[: 7 * 9 + 8], n_streams=7, segment_length=9, seed=0)


def test_rows_follow_each_other_and_predict_every_character_but_the_first() -> None:
    rows = cut_rows(TEXT[:23], 4)
    assert rows.tolist() == [list(range(start, start + 6)) for start in (0, 5, 10, 15)]
    for n_rows in (0, 23):
        with pytest.raises(ValueError, match=rf"23 characters make no {n_rows} rows"):
            cut_rows(TEXT[:23], n_rows)


def model(positional: str = "transformer_xl") -> DecoderOnly:
    sizes = {"d_model": 8, "n_heads": 2, "d_key": 4, "d_value": 4, "d_ff": 16, "n_layers": 2}
    return DecoderOnly(DecoderOnlyConfig(vocabulary_size=11, positional=PositionalConfig(positional), **sizes))


def segments(n: int) -> list[Segment]:
    rows = torch.randint(11, (3, 5 * n + 1))
    return [
        Segment(rows[:, first : first + 5], rows[:, first + 1 : first + 6], first == 0) for first in range(0, 5 * n, 5)
    ]


def test_the_loss_with_memory_is_that_of_the_text_read_at_once() -> None:
    decoder, parts = model(), segments(3)
    loss = StreamLoss(decoder, mem_len=15, segment_loss=full_loss)
    found = sum(float(loss(part).cross_entropy) for part in parts)
    whole = full_loss(decoder(torch.cat([part.tokens for part in parts], 1)), torch.cat([p.targets for p in parts], 1))
    assert found == pytest.approx(float(whole.cross_entropy), rel=1e-5)
    assert whole.n_tokens == 45


def test_the_memory_is_dropped_where_a_text_begins_and_nowhere_else() -> None:
    decoder, parts = model(), segments(2)
    loss = StreamLoss(decoder, mem_len=15, segment_loss=full_loss)
    first, second = (float(loss(part).cross_entropy) for part in parts)
    assert float(loss(parts[0]).cross_entropy) == first
    assert float(loss(parts[1]).cross_entropy) == second
    alone = Segment(parts[1].tokens, parts[1].targets, is_first=True)
    assert float(loss(alone).cross_entropy) != pytest.approx(second, rel=1e-4)


def test_without_memory_segments_are_cut_apart() -> None:
    decoder, parts = model("sinusoidal"), segments(2)
    loss = StreamLoss(decoder, mem_len=0, segment_loss=full_loss)
    _, second = (float(loss(part).cross_entropy) for part in parts)
    assert second == pytest.approx(float(full_loss(decoder(parts[1].tokens), parts[1].targets).cross_entropy))


def per_character(logits: Tensor, targets: Tensor) -> Tensor:
    return -logits.log_softmax(-1).gather(-1, targets[..., None])[..., 0]


@pytest.mark.parametrize("length", [2, 5, 8])
def test_the_half_loss_counts_the_second_half_alone(length: int) -> None:
    logits, targets = torch.randn(3, length, 11, requires_grad=True), torch.randint(11, (3, length))
    expected = per_character(logits, targets).detach()
    full, half = full_loss(logits, targets), half_loss(logits, targets)
    assert float(full.smoothed.detach()) == pytest.approx(float(expected.sum()), rel=1e-5)
    assert float(half.smoothed.detach()) == pytest.approx(float(expected[:, length // 2 :].sum()), rel=1e-5)
    assert (full.n_tokens, half.n_tokens) == (3 * length, 3 * (length - length // 2))
    half.smoothed.backward()
    assert not logits.grad[:, : length // 2].any()
    assert logits.grad[:, length // 2 :].any()


def test_both_losses_can_be_named() -> None:
    assert LOSSES["full"] is full_loss
    assert LOSSES["half"] is half_loss
