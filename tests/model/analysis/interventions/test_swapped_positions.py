"""Sinusoids swapped in a tiny translator, against models that are made with other sinusoids."""

import dataclasses

import pytest
import torch

from model.analysis.interventions.swapped_positions import MAX_POSITIONS, SIDES, Swap, can_swap, swap_edits
from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig
from model.hooks import intervene, record
from model.positional import PositionalConfig
from model.positional.sinusoidal import sinusoidal_encoding

CONFIG = EncoderDecoderConfig(
    vocabulary_size=20, d_model=32, n_heads=2, d_ff=16, n_encoder_layers=1, n_decoder_layers=1
)
POINTS = ("encoder.positional.encoding", "decoder.positional.encoding")
TOKENS = torch.tensor([[5, 6, 7, 8, 3]])


def made(**positional: float) -> EncoderDecoder:
    config = dataclasses.replace(CONFIG, positional=PositionalConfig("sinusoidal", positional))
    torch.manual_seed(0)
    return EncoderDecoder(config).eval()


@torch.no_grad()
@pytest.mark.parametrize("base", [10.0, 500.0])
def test_another_base_is_the_model_made_with_it(base: float) -> None:
    model = made()
    with intervene(swap_edits(model, Swap(base=base))):
        swapped = model(TOKENS, TOKENS)
    torch.testing.assert_close(swapped, made(base=base)(TOKENS, TOKENS))


@torch.no_grad()
@pytest.mark.parametrize("side", SIDES)
def test_a_side_alone_is_changed_and_nothing_by_its_own_positions(side: str) -> None:
    model = made()
    with intervene(swap_edits(model, Swap(side, shift=7, strength=0.5))), record(*POINTS) as seen:
        model(TOKENS, TOKENS)
    own = sinusoidal_encoding(torch.arange(5), 32)
    other = 0.5 * sinusoidal_encoding(torch.arange(7, 12), 32)
    for point in POINTS:
        is_changed = side == "both" or point.startswith(side)
        torch.testing.assert_close(seen[point], other if is_changed else own)
    with intervene(swap_edits(model, Swap(side))):
        torch.testing.assert_close(model(TOKENS, TOKENS), made()(TOKENS, TOKENS))


def test_every_position_is_found_by_its_vector_alone() -> None:
    edit = swap_edits(made(), Swap("encoder", shift=1))[POINTS[0]]
    every = sinusoidal_encoding(torch.arange(MAX_POSITIONS + 1), 32)
    for place in range(0, MAX_POSITIONS, 97):
        torch.testing.assert_close(edit(every[place : place + 1]), every[place + 1 : place + 2])


def test_numbers_out_of_range_and_other_encodings_are_refused() -> None:
    for numbers in ({"base": 1.0}, {"base": float("nan")}, {"shift": -1}, {"strength": float("inf")}):
        with pytest.raises(ValueError, match=next(iter(numbers))):
            Swap(**numbers)
    config = dataclasses.replace(CONFIG, positional=PositionalConfig("learned", {}))
    learned = EncoderDecoder(config)
    assert can_swap(made())
    assert not can_swap(learned)
    with pytest.raises(ValueError, match="learned"):
        swap_edits(learned, Swap())
