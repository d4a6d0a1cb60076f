"""Shifted positions around every encoding that takes positions."""

import pytest
import torch

from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig
from model.positional import PositionalConfig, StackSpec, build, registered

STACK = StackSpec(d_model=16, n_heads=2, d_key=8, d_value=8, n_layers=2, causal=True)
WRAPPABLE = [
    name
    for name, encoding in registered().items()
    if encoding.description.properties.takes_positions and encoding.description.inner is None
]


def shifted(inner: str, **parameters: float) -> PositionalConfig:
    return PositionalConfig("shifted", {"max_position": 64, **parameters}, inner=PositionalConfig(inner))


@torch.inference_mode()
@pytest.mark.parametrize("inner", WRAPPABLE)
def test_at_test_it_is_the_inner_encoding(inner: str) -> None:
    torch.manual_seed(3)
    plain = DecoderOnly(DecoderOnlyConfig(11, positional=PositionalConfig(inner))).eval()
    torch.manual_seed(3)
    wrapped = DecoderOnly(DecoderOnlyConfig(11, positional=shifted(inner))).eval()
    tokens = torch.randint(3, 11, (2, 12))
    assert torch.equal(wrapped(tokens), plain(tokens))


def test_in_training_every_offset_that_has_room_is_as_likely() -> None:
    encoding = build(shifted("learned"), STACK).train()
    torch.manual_seed(0)
    drawn = torch.stack([encoding.map_positions(torch.arange(60)) for _ in range(1000)])
    assert (drawn.diff(dim=1) == 1).all()
    counts = drawn[:, 0].bincount()
    assert len(counts) == 5
    assert counts.min() > 150


def test_short_inputs_train_the_whole_table_of_learned_positions() -> None:
    torch.manual_seed(1)
    encoding = build(PositionalConfig("shifted", {"max_position": 64}, PositionalConfig("learned")), STACK).train()
    for _ in range(300):
        added = encoding.additive_encoding(encoding.map_positions(torch.arange(10)))
        assert added is not None
        added.sum().backward()
    ((_, table),) = encoding.named_parameters()
    assert table.grad is not None
    assert table.grad[:64].ne(0).all()
    assert table.grad[64:].eq(0).all()


def test_what_cannot_be_shifted_is_refused() -> None:
    with pytest.raises(ValueError, match="'none' takes no positions of its own; shifted wraps"):
        build(shifted("none"), STACK)
    with pytest.raises(ValueError, match="'shifted' takes no positions of its own"):
        build(shifted("shifted"), STACK)
    with pytest.raises(ValueError, match="past the learned table: position = 599, rows = 512"):
        build(shifted("learned", max_position=600), STACK)


def test_too_many_tokens_in_training_are_refused() -> None:
    encoding = build(shifted("rotary"), STACK).train()
    with pytest.raises(ValueError, match="no random position: position = 64, available = 64, last = 63"):
        encoding.map_positions(torch.arange(65))
    with pytest.raises(ValueError, match="no random position: position = -1"):
        encoding.map_positions(torch.arange(-1, 3))
    assert torch.equal(encoding.eval().map_positions(torch.arange(65)), torch.arange(65))
