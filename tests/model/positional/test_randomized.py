"""Randomized positions around every encoding that takes positions."""

import pytest
import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig
from model.hooks import record
from model.positional import PositionalConfig, QueryKey, StackSpec, build, registered

STACK = StackSpec(d_model=16, n_heads=2, d_key=8, d_value=8, n_layers=2, causal=True)
WRAPPABLE = [
    name
    for name, encoding in registered().items()
    if encoding.description.properties.takes_positions and encoding.description.inner is None
]


def randomized(inner: str, **parameters: float) -> PositionalConfig:
    parameters = {"max_position": 256, "longest": 64, **parameters}
    return PositionalConfig("randomized", parameters, inner=PositionalConfig(inner))


def model(config: PositionalConfig) -> EncoderDecoder:
    torch.manual_seed(2)
    sizes = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 8}
    layers = {"n_encoder_layers": 1, "n_decoder_layers": 2}
    return EncoderDecoder(EncoderDecoderConfig(vocabulary_size=11, dropout=0.0, positional=config, **sizes, **layers))


@torch.inference_mode()
@pytest.mark.parametrize("inner", WRAPPABLE)
def test_cached_decoding_equals_the_full_sequence(inner: str) -> None:
    transformer = model(randomized(inner)).eval()
    source, target = torch.randint(4, 11, (2, 9)), torch.randint(4, 11, (2, 12))
    memory, memory_mask = transformer.encode(source)
    full = transformer.decode(target, memory, memory_mask)
    cache = transformer.new_cache()
    pieces = [transformer.decode(piece, memory, memory_mask, cache) for piece in target.split([5, 1, 1, 5], dim=1)]
    torch.testing.assert_close(torch.cat(pieces, dim=1), full, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("inner", WRAPPABLE)
def test_it_is_the_inner_encoding_at_other_positions(inner: str) -> None:
    torch.manual_seed(5)
    wrapped = build(randomized(inner), STACK).eval()
    torch.manual_seed(5)
    plain = build(PositionalConfig(inner), STACK).eval()
    assert set(wrapped.state_dict()) == {f"inner.{name}" for name in plain.state_dict()}
    placed = wrapped.map_positions(torch.arange(10))
    q, k = torch.randn(1, 2, 10, 8), torch.randn(1, 2, 10, 8)
    for slot in ("score_bias", "transform_query_key"):
        ours = getattr(wrapped.at_layer(1), slot)(QueryKey(q, k, placed, placed))
        torch.testing.assert_close(ours, getattr(plain.at_layer(1), slot)(QueryKey(q, k, placed, placed)))


def test_positions_are_a_sorted_sample_drawn_anew_each_training_forward() -> None:
    encoding = build(randomized("rotary"), STACK).train()
    samples = [encoding.map_positions(torch.arange(40)) for _ in range(200)]
    for sample in samples:
        assert (sample.diff() > 0).all()
        assert 0 <= sample[0] <= sample[-1] < 256
    assert not torch.equal(samples[0], samples[1])
    # The t-th of n smallest of a sample from 0 … L − 1 lies at t(L + 1)/(n + 1) − 1 on average.
    mean = torch.stack(samples).double().mean(0)
    torch.testing.assert_close(mean, torch.arange(1, 41).double() * 257 / 41 - 1, atol=8.0, rtol=0)


def test_positions_at_test_are_fixed_by_the_seed_and_keep_as_the_sequence_grows() -> None:
    encoding = build(randomized("rotary"), STACK).eval()
    placed = encoding.map_positions(torch.arange(30))
    assert torch.equal(placed[:12], encoding.map_positions(torch.arange(12)))
    assert torch.equal(placed[7:], encoding.map_positions(torch.arange(7, 30)))
    assert torch.equal(placed, build(randomized("rotary"), STACK).eval().map_positions(torch.arange(30)))
    assert not torch.equal(placed, build(randomized("rotary", seed=1), STACK).eval().map_positions(torch.arange(30)))
    assert not torch.equal(placed, torch.arange(30))


def test_queries_and_keys_share_one_sample_in_every_layer() -> None:
    transformer = model(randomized("alibi")).train()
    tokens = torch.randint(4, 11, (2, 9))
    with record("*.position_bias") as seen:
        transformer(tokens, tokens)
    first, second = (seen[f"decoder.{layer}.self_attention.position_bias"][0, 0] for layer in (0, 1))
    assert torch.equal(first, second)
    assert first.diagonal().eq(0).all()  # ALiBi is zero exactly where query and key stand at the same position
    assert first.tril(-1).ne(0).sum() == 9 * 8 / 2


def test_it_describes_what_it_wraps() -> None:
    description = build(randomized("fire"), STACK).description
    assert description.title == "FIRE, randomized"
    assert description.properties.learned
    assert description.properties.acts_on == ("scores",)


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (randomized("none"), "'none' takes no positions of its own"),
        (randomized("cope"), "'cope' takes no positions of its own"),
        (randomized("randomized"), "'randomized' takes no positions of its own"),
        (randomized("rotary", longest=300), "^max_position too small: longest = 300, max_position = 256$"),
        (randomized("learned", max_position=2048), "past the learned table: position = 2047, rows = 512"),
        (PositionalConfig("rotary", inner=PositionalConfig("alibi")), "rotary was given 'alibi' to wrap; it wraps no"),
    ],
)
def test_what_cannot_be_wrapped_is_refused(config: PositionalConfig, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        build(config, STACK)


def test_too_many_tokens_are_refused() -> None:
    encoding = build(randomized("rotary"), STACK)
    with pytest.raises(
        ValueError, match=r"no random position: position = 256, available = 256, .* parameter = max_position"
    ):
        encoding.train().map_positions(torch.arange(257))
    with pytest.raises(ValueError, match="available = 64, last = 63, parameter = longest"):
        encoding.eval().map_positions(torch.arange(65))
    with pytest.raises(ValueError, match="no random position: position = -1"):
        encoding.map_positions(torch.arange(-1, 3))
