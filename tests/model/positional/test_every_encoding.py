"""What holds for every registered encoding; a new file in model/positional is tested here by itself."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.attention import AttentionPositions, MultiHeadAttention, causal_mask
from model.config import EncoderDecoderConfig, config_from_json, config_to_json
from model.hooks import record
from model.positional import PositionalConfig, PositionalEncoding, QueryKey, StackSpec, build, registered

CAUSAL = StackSpec(d_model=32, n_heads=4, d_key=8, d_value=6, n_layers=2, causal=True)
BIDIRECTIONAL = replace(CAUSAL, causal=False)
AS_PUBLISHED = [
    PositionalConfig("fox", {"reads_input": 1}),
    PositionalConfig("path", {"as_published": 1}),
    PositionalConfig("ssmax", {"bias": 1}),
    PositionalConfig("rnope", {"window": 4}),
    PositionalConfig("ssmax", {"s": 0.5}, PositionalConfig("rnope", {"window": 2})),
]
EVERY = [*(PositionalConfig(name) for name in registered()), *AS_PUBLISHED]
LENGTH = 9

pytestmark = pytest.mark.parametrize("config", EVERY, ids=lambda config: "-".join((config.name, *config.parameters)))


def move(parameters: Iterable[Tensor]) -> None:
    """Move ``parameters`` off their initial values, so that a term that starts at zero shows."""
    with torch.no_grad():
        for parameter in parameters:
            parameter.add_(torch.randn_like(parameter) * 0.2)


def fresh(config: PositionalConfig, stack: StackSpec = CAUSAL) -> PositionalEncoding:
    encoding = build(config, stack).eval()
    move(encoding.parameters())
    return encoding


def attention(dtype: torch.dtype = torch.float32) -> MultiHeadAttention:
    torch.manual_seed(1)
    block = MultiHeadAttention(name="decoder.0.self_attention", d_model=32, n_heads=4, d_key=8, d_value=6)
    return block.to(dtype).eval()


def attend(
    block: MultiHeadAttention,
    encoding: PositionalEncoding,
    x: Tensor,
    *,
    positions: Tensor | None = None,
    n_queries: int | None = None,
) -> Tensor:
    """Return the output of the last ``n_queries`` positions of ``x`` (all, unless told otherwise)."""
    positions = torch.arange(x.shape[1]) if positions is None else positions
    queries = slice(x.shape[1] - (x.shape[1] if n_queries is None else n_queries), None)
    placed = encoding.map_positions(positions)
    added = encoding.additive_encoding(placed)
    x = x if added is None else x + added.to(x.dtype)
    asked = AttentionPositions(encoding.at_layer(1), placed[queries], placed)
    return block(x[:, queries], x, mask=causal_mask(asked.query, asked.key), positions=asked)


def model(config: PositionalConfig) -> EncoderDecoder:
    torch.manual_seed(2)
    sizes = {"d_model": 32, "n_heads": 4, "d_key": 8, "d_value": 6, "d_ff": 16}
    depths = {"n_encoder_layers": 2, "n_decoder_layers": 2}
    transformer = EncoderDecoder(
        EncoderDecoderConfig(vocabulary_size=11, dropout=0.0, positional=config, **sizes, **depths)
    )
    move([parameter for name, parameter in transformer.named_parameters() if "positional" in name])
    return transformer.eval()


@pytest.mark.parametrize("stack", [CAUSAL, BIDIRECTIONAL], ids=["causal", "bidirectional"])
@pytest.mark.parametrize(("n_queries", "n_keys"), [(1, 1), (1, 7), (5, 7), (LENGTH, LENGTH)])
def test_slots_keep_their_shapes(config: PositionalConfig, stack: StackSpec, n_queries: int, n_keys: int) -> None:
    encoding = fresh(config, stack)
    keys = encoding.map_positions(torch.arange(n_keys))
    queries = keys[n_keys - n_queries :]
    q, k = torch.randn(3, 4, n_queries, 8), torch.randn(3, 4, n_keys, 8)
    added = encoding.additive_encoding(keys)
    assert added is None or added.shape == (n_keys, 32)
    layer = encoding.at_layer(1)
    qk = QueryKey(q, k, queries, keys, key_state=layer.key_state(torch.randn(3, n_keys, 32)))
    bias = layer.score_bias(qk)
    assert bias is None or (
        bias.shape in [(3, 4, n_queries, n_keys), (1, 4, n_queries, n_keys)] and bias.isfinite().all()
    )
    turned_q, turned_k = layer.transform_query_key(qk)
    assert turned_q.shape[:-1] == q.shape[:-1]
    assert turned_k.shape[:-1] == k.shape[:-1]
    assert turned_q.shape[-1] == turned_k.shape[-1]
    values = layer.add_to_values(torch.rand(3, 4, n_queries, n_keys), qk)
    assert values is None or values.shape == (3, 4, n_queries, 6)


def test_the_description_is_complete_and_true(config: PositionalConfig) -> None:
    encoding = fresh(config)
    description = encoding.description
    assert description.name == config.name
    assert all((description.title, description.paper, description.formula))
    assert 2017 <= description.year <= 2030
    for parameter in description.parameters:
        parameter.check(description.name, parameter.default)
    positions = torch.arange(5)
    q = torch.randn(1, 4, 5, 8)
    layer = encoding.at_layer(0)
    qk = QueryKey(q, q, positions, positions, key_state=layer.key_state(torch.randn(1, 5, 32)))
    acts_on = {
        "embeddings": encoding.additive_encoding(positions) is not None,
        "queries and keys": not torch.equal(layer.transform_query_key(qk)[0], q),
        "scores": layer.score_bias(qk) is not None or layer.visible_keys(positions, positions) is not None,
        "values": layer.add_to_values(torch.rand(1, 4, 5, 5), qk) is not None,
    }
    assert set(description.properties.acts_on) == {place for place, filled in acts_on.items() if filled}
    assert description.properties.learned == any(True for _ in encoding.parameters())
    assert layer.reads_pattern == acts_on["values"]


def test_what_it_says_of_direction_and_kind_is_so(config: PositionalConfig) -> None:
    """With the same token everywhere, only the encoding can tell keys apart."""
    encoding = fresh(config, BIDIRECTIONAL)
    properties = encoding.description.properties
    token, W_q, W_k = torch.randn(32), torch.randn(32, 32), torch.randn(32, 32)
    positions = torch.arange(LENGTH)
    added = encoding.additive_encoding(positions)
    x = token.expand(1, LENGTH, 32) if added is None else token + added[None]
    q, k = (
        (x @ W / 32).reshape(1, LENGTH, 4, 8).transpose(1, 2)
        for W in (W_q, W_k)
    )  # fmt: skip
    layer = encoding.at_layer(0)
    qk = QueryKey(q, k, positions, positions, key_state=layer.key_state(x))
    bias = layer.score_bias(qk)
    turned_q, turned_k = layer.transform_query_key(qk)
    scores = turned_q @ turned_k.transpose(-2, -1) + (0 if bias is None else bias)
    behind, ahead = scores[..., 4, 1], scores[..., 4, 7]
    assert properties.tells_direction == (not torch.allclose(behind, ahead, atol=1e-4))
    near, far = scores[..., 3, 1], scores[..., 7, 5]  # the same distance, elsewhere
    assert (properties.kind == "absolute") == (not torch.allclose(near, far, atol=1e-4))


def test_gradients_reach_every_parameter(config: PositionalConfig) -> None:
    torch.manual_seed(2)
    transformer = model(config).train()
    tokens = torch.randint(4, 11, (2, LENGTH))
    transformer(tokens, tokens).square().sum().backward()
    for name, parameter in transformer.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name
        assert parameter.grad.abs().max() > 1e-7, name


@torch.inference_mode()
@pytest.mark.parametrize("steps", [[1] * LENGTH, [3, 1, 5]], ids=["token by token", "in pieces"])
def test_cached_decoding_equals_the_full_sequence(config: PositionalConfig, steps: list[int]) -> None:
    transformer = model(config)
    source, target = torch.randint(4, 11, (2, 9)), torch.randint(4, 11, (2, LENGTH))
    memory, memory_mask = transformer.encode(source)
    full = transformer.decode(target, memory, memory_mask)
    cache = transformer.new_cache()
    pieces = [transformer.decode(piece, memory, memory_mask, cache) for piece in target.split(steps, dim=1)]
    torch.testing.assert_close(torch.cat(pieces, dim=1), full, atol=1e-5, rtol=1e-5)


@torch.inference_mode()
def test_the_fused_path_equals_the_recorded_one(config: PositionalConfig) -> None:
    transformer = model(config)
    source, target = torch.randint(4, 11, (2, 9)), torch.randint(4, 11, (2, LENGTH))
    fused = transformer(source, target)
    with record("*.pattern", "*.scores"):
        recorded = transformer(source, target)
    torch.testing.assert_close(fused, recorded, atol=1e-5, rtol=1e-5)


@torch.inference_mode()
@pytest.mark.parametrize("n_queries", [1, 5])
def test_queries_after_a_memory_equal_the_rows_of_the_full_sequence(config: PositionalConfig, n_queries: int) -> None:
    block, encoding = attention(), fresh(config)
    x = torch.randn(2, LENGTH, 32)
    full = attend(block, encoding, x)
    torch.testing.assert_close(
        attend(block, encoding, x, n_queries=n_queries), full[:, -n_queries:], atol=1e-5, rtol=1e-5
    )


@torch.inference_mode()
def test_positions_may_start_anywhere(config: PositionalConfig) -> None:
    block, encoding = attention(), fresh(config)
    x = torch.randn(2, LENGTH, 32)
    shifted = attend(block, encoding, x, positions=torch.arange(20, 20 + LENGTH))
    tail = attend(block, encoding, x, positions=torch.arange(20, 20 + LENGTH), n_queries=4)
    torch.testing.assert_close(tail, shifted[:, -4:], atol=1e-5, rtol=1e-5)
    shift_matters = encoding.description.properties.kind == "absolute" or encoding.description.inner is not None
    if not shift_matters:
        torch.testing.assert_close(shifted, attend(block, encoding, x), atol=1e-5, rtol=1e-5)


@torch.inference_mode()
def test_the_same_input_gives_the_same_output_at_test(config: PositionalConfig) -> None:
    source, target = torch.randint(4, 11, (2, 9)), torch.randint(4, 11, (2, LENGTH))
    transformer = model(config)
    first = transformer(source, target)
    torch.rand(100)  # whatever else draws from the same generator changes nothing
    assert torch.equal(transformer(source, target), first)
    assert torch.equal(model(config)(source, target), first)


def test_weights_and_configuration_survive_the_disk(config: PositionalConfig, tmp_path: Path) -> None:
    torch.manual_seed(3)
    transformer = model(config)
    state = transformer.state_dict()
    assert len({tensor.data_ptr() for tensor in state.values()}) == len(state)
    save_file(state, tmp_path / "model.safetensors")
    stored = config_from_json(config_to_json(transformer.config))
    assert stored == transformer.config
    again = EncoderDecoder(stored).eval()
    again.load_state_dict(load_file(tmp_path / "model.safetensors"))
    source, target = torch.randint(4, 11, (2, 9)), torch.randint(4, 11, (2, LENGTH))
    assert torch.equal(again(source, target), transformer(source, target))


@torch.inference_mode()
@pytest.mark.parametrize(("source_length", "target_length"), [(1, 1), (1, 7), (33, 1), (63, 49)])
def test_odd_lengths_and_length_one(config: PositionalConfig, source_length: int, target_length: int) -> None:
    source, target = torch.randint(4, 11, (1, source_length)), torch.randint(4, 11, (1, target_length))
    logits = model(config)(source, target)
    assert logits.shape == (1, target_length, 11)
    assert logits.isfinite().all()


@torch.inference_mode()
def test_bfloat16_stays_close_to_float32(config: PositionalConfig) -> None:
    encoding, x = fresh(config), torch.randn(2, 60, 32)
    precise = attend(attention(), encoding, x)
    rough = attend(attention(torch.bfloat16), encoding.to(torch.bfloat16), x.to(torch.bfloat16))
    assert rough.dtype == torch.bfloat16
    assert (rough.float() - precise).abs().mean() < 0.02 * precise.abs().mean() + 1e-3


@torch.inference_mode()
def test_float64_runs_and_agrees(config: PositionalConfig) -> None:
    encoding, x = fresh(config), torch.randn(2, LENGTH, 32)
    single = attend(attention(), encoding, x)
    double = attend(attention(torch.float64), encoding.double(), x.double())
    assert double.dtype == torch.float64
    torch.testing.assert_close(double.float(), single, atol=1e-4, rtol=1e-4)


def test_autocast_trains(config: PositionalConfig) -> None:
    transformer = model(config).train()
    tokens = torch.randint(4, 11, (2, LENGTH))
    with torch.autocast("cpu", torch.bfloat16):
        loss = transformer(tokens, tokens).float().square().mean()
    loss.backward()
    assert loss.isfinite()


@torch.inference_mode()
def test_padding_on_the_right_changes_nothing(config: PositionalConfig) -> None:
    transformer = model(config)
    target = torch.randint(4, 11, (1, LENGTH))
    for n_source in (1, 9):
        source = torch.randint(4, 11, (1, n_source))
        padded = torch.cat((source, torch.zeros(1, 8, dtype=torch.long)), dim=1)
        alone = transformer(source, target)
        torch.testing.assert_close(transformer(padded, target), alone, atol=1e-5, rtol=1e-5)
        with record("*.pattern"):
            torch.testing.assert_close(transformer(padded, target), alone, atol=1e-5, rtol=1e-5)
