"""Shifted positions around the encodings that add to the embeddings."""

from collections import Counter

import pytest
import torch

from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig
from model.hooks import record
from model.positional import PositionalConfig, PositionalEncoding, StackSpec, build, registered

STACK = StackSpec(d_model=16, n_heads=2, d_key=8, d_value=8, n_layers=2, causal=True)
WRAPPABLE = [name for name, kind in registered().items() if "embeddings" in kind.description.properties.acts_on]
WRAPPABLE.remove("shifted")


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


def offsets(encoding: PositionalEncoding, n_tokens: int, n_rows: int) -> list[int]:
    """The first position of each row, whose encoding must be that of consecutive positions from there on."""
    added = encoding.additive_encoding_by_row(torch.arange(n_tokens), n_rows)
    table = encoding.additive_encoding(torch.arange(64))
    assert added is not None
    assert table is not None
    first = [int((table == row[0]).all(1).nonzero().item()) for row in added]
    for row, start in zip(added, first, strict=True):
        assert torch.equal(row, table[start : start + n_tokens])
    return first


def test_in_training_each_row_has_an_offset_of_its_own_that_is_as_likely_as_any() -> None:
    encoding = build(shifted("learned"), STACK).train()
    torch.manual_seed(0)
    counts = Counter(offsets(encoding, 60, 1000))
    assert sorted(counts) == [0, 1, 2, 3, 4]
    assert min(counts.values()) > 150


def test_short_inputs_train_the_whole_table_of_learned_positions() -> None:
    torch.manual_seed(1)
    encoding = build(shifted("learned"), STACK).train()
    added = encoding.additive_encoding_by_row(torch.arange(10), 300)
    assert added is not None
    added.sum().backward()
    ((_, table),) = encoding.named_parameters()
    assert table.grad is not None
    assert table.grad[:64].ne(0).all()
    assert table.grad[64:].eq(0).all()


def test_a_model_in_training_reads_the_shifted_rows() -> None:
    torch.manual_seed(2)
    model = DecoderOnly(DecoderOnlyConfig(11, positional=shifted("learned"))).train()
    tokens = torch.randint(3, 11, (1, 12)).expand(6, -1)
    with record("decoder.positional.encoding") as seen:
        model(tokens)
    (added,) = seen.values()
    assert added.shape == (6, 12, 64)
    assert len(set(added[:, 0, 0].tolist())) > 1


@pytest.mark.parametrize("inner", ["none", "rotary", "alibi", "shifted", "randomized"])
def test_what_adds_no_positions_is_refused(inner: str) -> None:
    with pytest.raises(ValueError, match=f"'{inner}' adds no positions to the embeddings; shifted wraps what does"):
        build(shifted(inner), STACK)


def test_a_table_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match="past the learned table: position = 599, rows = 512"):
        build(shifted("learned", max_position=600), STACK)


def test_too_many_tokens_in_training_are_refused() -> None:
    encoding = build(shifted("learned"), STACK).train()
    with pytest.raises(ValueError, match="no random position: position = 64, available = 64, last = 63"):
        encoding.additive_encoding_by_row(torch.arange(65), 2)
    with pytest.raises(ValueError, match="no random position: position = -1"):
        encoding.additive_encoding_by_row(torch.arange(-1, 3), 2)
    assert encoding.eval().additive_encoding_by_row(torch.arange(65), 2) is not None


def test_what_wraps_it_shifts_too() -> None:
    around = PositionalConfig("ssmax", inner=shifted("learned"))
    added = build(around, STACK).train().additive_encoding_by_row(torch.arange(10), 5)
    assert added is not None
    assert len(set(added[:, 0, 0].tolist())) > 1
