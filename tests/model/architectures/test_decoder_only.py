"""The decoder without an encoder, against ``torch.nn.TransformerEncoder`` under a causal mask with the same weights."""

import dataclasses
import json
import re
from typing import Any

import pytest
import torch
from torch import nn

from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig, config_to_json, decoder_only_from_dict
from model.hooks import HOOKS, record
from model.positional import PositionalConfig, registered

TOKENS = torch.tensor([[1, 5, 6, 7, 8, 9, 3], [1, 9, 3, 4, 4, 10, 6], [1, 3, 5, 5, 5, 2, 0]])


def make(**changes: Any) -> DecoderOnly:
    sizes = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 24, "n_layers": 3}
    model = DecoderOnly(DecoderOnlyConfig(vocabulary_size=11, **(sizes | changes))).eval()
    for parameter in model.parameters():
        # Fresh norms are all ones and biases all zeros: those would be equal whatever was copied.
        nn.init.normal_(parameter, std=0.3)
    return model


def torch_twin(model: DecoderOnly) -> nn.TransformerEncoder:
    """Torch's own layers with the weights of ``model``; the attention biases that we do not have are zero."""
    config = model.config
    layer = nn.TransformerEncoderLayer(
        config.d_model,
        config.n_heads,
        config.d_ff,
        dropout=0.0,
        batch_first=True,
        norm_first=config.norm == "pre",
    )
    norm = nn.LayerNorm(config.d_model) if config.norm == "pre" else None
    twin = nn.TransformerEncoder(layer, config.n_layers, norm, enable_nested_tensor=False)
    weights = {}
    for index, ours in enumerate(model.layers):
        attention, prefix = ours.self_attention, f"layers.{index}"
        projections = (attention.W_Q.weight, attention.W_K.weight, attention.W_V.weight)
        weights[f"{prefix}.self_attn.in_proj_weight"] = torch.cat(projections)
        weights[f"{prefix}.self_attn.in_proj_bias"] = torch.zeros(3 * config.d_model)
        weights[f"{prefix}.self_attn.out_proj.weight"] = attention.W_O.weight
        weights[f"{prefix}.self_attn.out_proj.bias"] = torch.zeros(config.d_model)
        for theirs, module in {
            "norm1": ours.self_attention_residual.norm,
            "norm2": ours.feed_forward_residual.norm,
            "linear1": ours.feed_forward.W_1,
            "linear2": ours.feed_forward.W_2,
        }.items():
            weights |= {f"{prefix}.{theirs}.{name}": value for name, value in module.named_parameters()}
    if norm is not None:
        weights |= {f"norm.{name}": value for name, value in model.final_norm.named_parameters()}
    twin.load_state_dict(weights)
    return twin.eval()


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("positional", ["none", "sinusoidal"])
def test_the_model_equals_torch_with_the_same_weights(norm: str, positional: str) -> None:
    model = make(norm=norm, positional=PositionalConfig(positional))
    with record("decoder.input") as seen:
        logits = model(TOKENS)
    future = torch.ones(7, 7).triu(1).bool()
    hidden = torch_twin(model)(seen["decoder.input"], mask=future)
    torch.testing.assert_close(logits, hidden @ model.embedding.weight.T, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("positional", registered())
def test_reading_by_pieces_equals_reading_at_once(positional: str) -> None:
    model = make(positional=PositionalConfig(positional))
    whole = model(TOKENS)
    cache = model.new_cache()
    for start, end in ((0, 3), (3, 4), (4, 7)):
        piece = model(TOKENS[:, start:end], cache=cache)
        torch.testing.assert_close(piece, whole[:, start:end], rtol=1e-4, atol=1e-4)
        assert cache.length == end


def test_given_positions_replace_the_count_and_leave_the_order_of_reading() -> None:
    model = make(positional=PositionalConfig("learned"))
    places = torch.tensor([0, 5, 6, 7, 5, 6, 7])
    counted, placed = model(TOKENS), model(TOKENS, positions=places)
    torch.testing.assert_close(placed[:, :1], counted[:, :1])
    assert not torch.allclose(placed[:, 1:], counted[:, 1:], atol=1e-2)
    changed = TOKENS.clone()
    changed[:, 4:] = 4
    torch.testing.assert_close(model(changed, positions=places)[:, :4], placed[:, :4], rtol=1e-4, atol=1e-4)


def test_hook_points_are_the_decoder_s_without_cross_attention() -> None:
    with record("*") as seen:
        make(positional=PositionalConfig("sinusoidal"))(TOKENS)
    expected = {
        point.name.format(layer=layer)
        for point in HOOKS
        for layer in range(3)
        if point.name.startswith(("decoder", "logits"))
        and not re.search("cross|position_bias|term_|memory", point.name)
    }
    assert set(seen) == expected


@pytest.mark.parametrize("pattern", ["*", "*.pattern", "logits"])
def test_recording_changes_no_output(pattern: str) -> None:
    model = make(positional=PositionalConfig("t5"))
    plain = model(TOKENS)
    with record(pattern):
        torch.testing.assert_close(model(TOKENS), plain, rtol=1e-4, atol=1e-4)


def test_every_parameter_is_trained() -> None:
    model = make(positional=PositionalConfig("learned"))
    model(TOKENS).square().sum().backward()
    assert [name for name, parameter in model.named_parameters() if parameter.grad is None] == []


def test_a_configuration_reads_back_as_it_was_written() -> None:
    config = DecoderOnlyConfig(40, positional=PositionalConfig("randomized", inner=PositionalConfig("fire")))
    assert decoder_only_from_dict(json.loads(config_to_json(config))) == config


@pytest.mark.unchecked
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_layers": 0}, "n_layers is 0; it must be a whole number, at least 1"),
        ({"n_encoder_layers": 2}, "the configuration has n_encoder_layers; its entries are"),
        ({"eos_id": 40}, "eos_id is 40; it must be a whole number below vocabulary_size, 40"),
    ],
)
def test_a_wrong_entry_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        decoder_only_from_dict(dataclasses.asdict(DecoderOnlyConfig(40)) | changes)


def test_without_feed_forward_each_layer_adds_what_its_heads_write_and_nothing_else() -> None:
    model = make(d_ff=0)
    with record("decoder.*") as seen:
        model(TOKENS)
    assert not any("feed_forward" in name for name in seen)
    stream = seen["decoder.input"]
    for layer in range(3):
        stream = stream + seen[f"decoder.{layer}.self_attention.output"]
    torch.testing.assert_close(seen["decoder.output"], model.final_norm(stream))


def test_an_untied_model_writes_by_a_table_of_its_own() -> None:
    model = make(tied=False)
    with record("decoder.output") as seen:
        logits = model(TOKENS)
    torch.testing.assert_close(logits, seen["decoder.output"] @ model.W_U.T)
    assert "W_U" not in make().state_dict()
