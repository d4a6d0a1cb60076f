"""Vectors of distances, against code or formulas that owe nothing to ours, to 1e-5."""

import math

import pytest
import torch
from transformers.models.xlnet.configuration_xlnet import XLNetConfig
from transformers.models.xlnet.modeling_xlnet import XLNetModel, XLNetRelativeAttention

from model.attention import AttentionPositions, MultiHeadAttention, attention_pattern, attention_scores, causal_mask
from model.hooks import record
from model.positional import QueryKey
from model.positional.sinusoidal import sinusoidal_encoding
from tests.model.positional.parity.agreement import B, D, E, H, agree, encoding, queries_and_keys


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("memory", [0, 6])
def test_transformer_xl_is_xlnet_s_attention(memory: int, causal: bool) -> None:
    n_queries, n_keys = 9, 9 + memory
    ours = encoding("transformer_xl", causal=causal)
    theirs = XLNetRelativeAttention(XLNetConfig(d_model=H * E, n_head=H, d_inner=8, n_layer=1, dropout=0.0)).eval()
    u, v, W_kR = ours.get_parameter("u"), ours.get_parameter("v"), ours.get_parameter("W_kR.weight")
    with torch.no_grad():
        theirs.r_w_bias.copy_(u)
        theirs.r_r_bias.copy_(v)
    # XLNet has all sines before all cosines, and counts distances down from the number of keys to 1 − queries.
    order = torch.cat((torch.arange(0, D, 2), torch.arange(1, D, 2)))
    countdown = torch.arange(n_keys, -n_queries, -1.0)
    R = XLNetModel.positional_embedding(countdown, 1 / 10000 ** (torch.arange(0, D, 2.0) / D), B)  # [R, B, D]
    relative_keys = (R @ W_kR[:, order].T).reshape(-1, B, H, E)
    q, k, queries, keys = queries_and_keys(n_queries, n_keys)
    values = torch.randn(B, H, n_keys, E)
    mask = causal_mask(queries, keys) if causal else torch.ones(1, 1, n_queries, n_keys, dtype=torch.bool)
    theirs_z = theirs.rel_attn_core(
        *(x.permute(2, 0, 1, 3) for x in (q, k, values)),
        relative_keys,
        attn_mask=(~mask).float().expand(B, H, -1, -1).permute(2, 3, 0, 1),
    ).permute(1, 2, 0, 3)
    bias = ours.score_bias(QueryKey(q, k, queries, keys))
    scores = attention_scores(*ours.transform_query_key(QueryKey(q, k, queries, keys)), bias=bias, mask=mask)
    agree(attention_pattern(scores) @ values, theirs_z)


def test_transformer_xl_by_its_four_terms() -> None:
    ours = encoding("transformer_xl")
    u, v, W_kR = ours.get_parameter("u"), ours.get_parameter("v"), ours.get_parameter("W_kR.weight").view(H, E, D)
    q, k, queries, keys = queries_and_keys(4, 7)
    scores = attention_scores(
        *ours.transform_query_key(QueryKey(q, k, queries, keys)), bias=ours.score_bias(QueryKey(q, k, queries, keys))
    )
    expected = torch.zeros(B, H, 4, 7)
    for row, i in enumerate(queries.tolist()):
        for j in keys.tolist():
            R = sinusoidal_encoding(torch.tensor([i - j]), D)[0]
            for h in range(H):
                r = W_kR[h] @ R
                a, b = (q[:, h, row] * k[:, h, j]).sum(-1), q[:, h, row] @ r
                c, d = k[:, h, j] @ u[h], v[h] @ r
                expected[:, h, row, j] = (a + b + c + d) / math.sqrt(E)
    agree(scores, expected)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("memory", [0, 5])
def test_shaw_by_its_formulas(memory: int, causal: bool) -> None:
    """Through a whole attention block, which also holds the place where the values are added."""
    ours = encoding("shaw", causal=causal, clip=3)
    key_table, value_table = ours.get_parameter("key_table"), ours.get_parameter("value_table")
    block = MultiHeadAttention(name="encoder.0.self_attention", d_model=D, n_heads=H, d_key=E, d_value=E)
    x = torch.randn(B, 7 + memory, D)
    positions = torch.arange(7 + memory)
    asked = AttentionPositions(ours, positions[memory:], positions)
    mask = causal_mask(asked.query, asked.key) if causal else None
    with record("encoder.0.self_attention.*") as seen:
        block(x[:, memory:], x, mask=mask, positions=asked)
    q, k, v = (seen[f"encoder.0.self_attention.{name}"].detach() for name in "qkv")
    expected = torch.zeros(B, H, 7, E)
    for row, i in enumerate(asked.query.tolist()):
        seen_keys = [j for j in positions.tolist() if j <= i or not causal]
        clipped = [max(-3, min(3, j - i)) + 3 for j in seen_keys]
        scores = torch.stack(
            [
                (q[:, :, row] * (k[:, :, j] + key_table[w])).sum(-1) / math.sqrt(E)
                for j, w in zip(seen_keys, clipped, strict=True)
            ]
        )
        for weight, j, w in zip(scores.softmax(0), seen_keys, clipped, strict=True):
            expected[:, :, row] += weight[..., None] * (v[:, :, j] + value_table[w])
    agree(seen["encoder.0.self_attention.z"], expected)
