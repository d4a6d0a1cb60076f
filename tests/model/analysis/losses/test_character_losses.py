"""Losses of characters, against the probabilities of the model read in the plainest way."""

import math

import pytest
import torch
from torch import Tensor, nn

from model.analysis.losses.character_losses import (
    bits,
    bits_by_position,
    context_losses,
    segment_losses,
    window_losses,
)
from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig
from model.positional import PositionalConfig

pytestmark = pytest.mark.unchecked


@pytest.fixture
def decoder() -> DecoderOnly:
    sizes = {"d_model": 8, "n_heads": 2, "d_key": 4, "d_value": 4, "d_ff": 16, "n_layers": 2}
    config = DecoderOnlyConfig(vocabulary_size=11, positional=PositionalConfig("transformer_xl"), **sizes)
    model = DecoderOnly(config).eval()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.4)
    return model


@pytest.fixture
def rows() -> Tensor:
    return torch.randint(11, (2, 24), generator=torch.Generator().manual_seed(1))


def loss_after(model: DecoderOnly, context: Tensor, target: Tensor) -> float:
    return -float(model(context[None])[0, -1].log_softmax(-1)[target].detach())


def test_with_memory_over_everything_a_character_is_predicted_from_all_before_it(decoder, rows) -> None:
    losses = segment_losses(decoder, rows, 5, decoder.new_memory(24))
    assert losses.shape == (2, 23)
    for row in range(2):
        for place in range(1, 24):
            expected = loss_after(decoder, rows[row, :place], rows[row, place])
            assert float(losses[row, place - 1]) == pytest.approx(expected, abs=1e-4)


def test_without_memory_a_character_is_predicted_from_its_own_segment(decoder, rows) -> None:
    losses = segment_losses(decoder, rows, 5, decoder.new_memory(0))
    assert float(losses[0, 12]) == pytest.approx(loss_after(decoder, rows[0, 10:13], rows[0, 13]), abs=1e-4)


def test_through_a_window_a_character_is_predicted_from_the_last_ones(decoder, rows) -> None:
    losses = window_losses(decoder, rows, 6)
    assert losses.shape == (2, 23)
    for place in (1, 5, 6, 7, 23):
        expected = loss_after(decoder, rows[1, max(0, place - 6) : place], rows[1, place])
        assert float(losses[1, place - 1]) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("segment_length", [2, 9])
@pytest.mark.parametrize("context", [1, 4, 9])
def test_after_a_context_a_character_is_predicted_from_exactly_that_many(
    decoder, rows, context, segment_length
) -> None:
    places = torch.tensor([9, 23, 10, 17, 9])
    how = {"segment_length": segment_length, "mem_len": 9, "batch_size": 2}
    losses = context_losses(decoder, rows[0], places, context, **how)
    for place, loss in zip(places.tolist(), losses.tolist(), strict=True):
        expected = loss_after(decoder, rows[0, place - context : place], rows[0, place])
        assert loss == pytest.approx(expected, abs=1e-4)


def test_without_memory_a_context_is_only_as_long_as_its_last_segment(decoder, rows) -> None:
    (loss,) = context_losses(decoder, rows[0], torch.tensor([15]), 10, segment_length=4, mem_len=0).tolist()
    assert loss == pytest.approx(loss_after(decoder, rows[0, 13:15], rows[0, 15]), abs=1e-4)


@pytest.mark.parametrize("context", [0, 10])
def test_a_context_that_is_not_there_is_refused(decoder, rows, context: int) -> None:
    with pytest.raises(ValueError, match=rf"context is {context}; it lies from 1 to the first place, 9"):
        context_losses(decoder, rows[0], torch.tensor([9, 12]), context, segment_length=5, mem_len=0)


def test_nats_become_bits() -> None:
    assert bits(torch.full((2, 3), math.log(8))) == pytest.approx(3.0)
    losses = math.log(2) * torch.tensor([[1.0, 2.0, 3.0, 4.0, 9.0], [3.0, 4.0, 5.0, 6.0, 9.0]])
    assert bits_by_position(losses, 2) == pytest.approx([3.0, 4.0])
    assert bits_by_position(losses, 5) == pytest.approx([2.0, 3.0, 4.0, 5.0, 9.0])
    assert bits_by_position(losses, 6) == []
