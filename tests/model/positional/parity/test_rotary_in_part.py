"""Rotary of some dimensions, or in some layers, against code or formulas that owe nothing to ours, to 1e-5."""

import math
from dataclasses import replace

import pytest
import torch
from transformers.masking_utils import sliding_window_overlay
from transformers.models.llama4.configuration_llama4 import Llama4TextConfig
from transformers.models.llama4.modeling_llama4 import Llama4TextAttention
from transformers.models.smollm3.configuration_smollm3 import SmolLM3Config

from model.attention import attention_pattern, attention_scores, causal_mask
from model.positional import PositionalConfig, QueryKey, build
from model.positional.prope import PRoPE
from model.positional.rotary import RotaryEncoding
from tests.model.positional.parity.agreement import (
    STACK,
    B,
    E,
    H,
    agree,
    encoding,
    llama_config,
    queries_and_keys,
    rope_parameters,
)


@pytest.mark.parametrize("p", [0.25, 0.6, 0.75, 1.0])
def test_p_rope_is_transformers_proportional_rotary(p: float) -> None:
    ours = encoding("prope", p=p)
    assert isinstance(ours, PRoPE)
    theirs, _ = rope_parameters("proportional", llama_config({"rope_type": "proportional"}, 10000.0, p))
    agree(ours.frequencies(), theirs[theirs > 0])
    q, k, queries, keys = queries_and_keys()
    _, turned = ours.transform_query_key(QueryKey(q, k, queries, keys))
    angles = keys[:, None] * theirs
    first, second = k[..., ::2], k[..., 1::2]
    agree(turned[..., ::2], (first * angles.cos() - second * angles.sin()).float())
    agree(turned[..., 1::2], (first * angles.sin() + second * angles.cos()).float())


@pytest.mark.parametrize("every", [2, 3, 4])
def test_rnope_leaves_out_the_layers_that_smollm3_does(every: int) -> None:
    rnope = build(PositionalConfig("rnope", {"every": every}), replace(STACK, n_layers=9))
    is_rotary = SmolLM3Config(num_hidden_layers=9, no_rope_layer_interval=every, pad_token_id=0).no_rope_layers
    q, k, queries, keys = queries_and_keys()
    qk = QueryKey(q, k, queries, keys)
    rotated = encoding("rotary").transform_query_key(qk)
    for layer, has_rope in enumerate(is_rotary):
        ours = rnope.at_layer(layer)
        for found, expected in zip(ours.transform_query_key(qk), rotated if has_rope else (q, k), strict=True):
            assert torch.equal(found, expected)
        assert ours.score_bias(qk) is None


def test_the_temperature_of_irope_is_llama_4_s() -> None:
    n, floor, scale = 40, 7, 0.3
    config = Llama4TextConfig(
        hidden_size=H * E,
        num_attention_heads=H,
        num_key_value_heads=H,
        head_dim=E,
        num_hidden_layers=2,
        no_rope_layers=[1, 0],
        floor_scale=floor,
        attn_scale=scale,
        attn_implementation="eager",
    )
    theirs = Llama4TextAttention(config, 1).eval()
    x, tokens = torch.randn(B, n, H * E), torch.arange(n)
    mask = torch.zeros(n, n).masked_fill(~causal_mask(tokens, tokens)[0, 0], -math.inf)
    _, pattern = theirs(x, position_embeddings=torch.zeros(0), attention_mask=mask[None, None])
    q, k = (proj(x).unflatten(-1, (H, E)).transpose(1, 2) for proj in (theirs.q_proj, theirs.k_proj))
    irope = build(PositionalConfig("irope", {"scale": scale, "floor": floor}), replace(STACK, n_layers=2))
    ours = irope.at_layer(1).transform_query_key(QueryKey(q, k, tokens, tokens))
    agree(attention_pattern(attention_scores(*ours, mask=causal_mask(tokens, tokens))), pattern)
    assert isinstance(irope.at_layer(0), RotaryEncoding)


@pytest.mark.parametrize("window", [1, 3, 9])
def test_the_window_of_rnope_is_that_of_transformers(window: int) -> None:
    ours = encoding("rnope", window=window)
    q, k, queries, keys = queries_and_keys(6, 9)
    is_near = sliding_window_overlay(window)
    visible = ours.visible_keys(queries, keys)
    for i, query in enumerate(queries.tolist()):
        for key in range(query + 1):
            assert bool(visible[i, key]) == bool(is_near(0, 0, torch.tensor(query), torch.tensor(key)))
    turned = [layer.transform_query_key(QueryKey(q, k, queries, keys)) for layer in (ours, encoding("rotary"))]
    agree(turned[0][0], turned[1][0])
