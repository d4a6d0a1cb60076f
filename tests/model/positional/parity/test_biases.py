"""Biases of the scores, against code or formulas that owe nothing to ours, to 1e-5."""

import math

import pytest
import torch
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.t5.configuration_t5 import T5Config
from transformers.models.t5.modeling_t5 import T5Attention

from model.attention import attention_pattern, causal_mask
from model.positional import QueryKey
from model.positional.t5 import t5_buckets
from tests.model.positional.parity.agreement import D, E, H, agree, bias_by_loop, encoding, queries_and_keys


@pytest.mark.parametrize("n_heads", [1, 4, 6, 8, 12, 20])
def test_alibi_is_bloom_s_after_softmax(n_heads: int) -> None:
    positions = torch.arange(50)
    scores = torch.randn(1, n_heads, 50, 50)
    mask = causal_mask(positions, positions)
    q = torch.zeros(1, n_heads, 50, E)
    ours = encoding("alibi", n_heads=n_heads).score_bias(QueryKey(q, q, positions, positions))
    theirs = build_alibi_tensor(torch.ones(1, 50), n_heads, torch.float32)[None]
    agree(
        attention_pattern((scores + ours).masked_fill(~mask, -math.inf)),
        attention_pattern((scores + theirs).masked_fill(~mask, -math.inf)),
    )


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(("n_buckets", "max_distance"), [(32, 128), (8, 20), (64, 1000)])
def test_t5_buckets_are_transformers(causal: bool, n_buckets: int, max_distance: int) -> None:
    distance = torch.arange(-3000, 3001)[None]
    theirs = T5Attention._relative_position_bucket(-distance, not causal, n_buckets, max_distance)
    assert torch.equal(t5_buckets(distance, n_buckets, max_distance, causal=causal), theirs)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("n_queries", [40, 7])
def test_t5_bias_is_transformers(causal: bool, n_queries: int) -> None:
    ours = encoding("t5", causal=causal)
    config = T5Config(d_model=D, num_heads=H, is_decoder=causal)
    theirs = T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
    with torch.no_grad():
        theirs.relative_attention_bias.weight.copy_(ours.get_parameter("table"))
    bias = ours.score_bias(QueryKey(*queries_and_keys(n_queries, 40)))
    agree(bias, theirs.compute_bias(n_queries, 40, past_seen_tokens=40 - n_queries))


def test_kerple_by_its_formula() -> None:
    ours = encoding("kerple", causal=False)
    r1, r2 = ours.get_parameter("log_r1").exp().tolist(), ours.get_parameter("log_r2").exp().tolist()
    q, k, queries, keys = queries_and_keys(9, 30)
    expected = bias_by_loop(H, queries, keys, lambda h, i, j: -r1[h] * math.log(1 + r2[h] * abs(i - j)))
    agree(ours.score_bias(QueryKey(q, k, queries, keys)), expected.float())


@pytest.mark.parametrize("threshold", [4.0, 512.0])
def test_fire_by_its_formula(threshold: float) -> None:
    ours = encoding("fire", threshold=threshold, c=0.5)
    W_1, b_1, W_2 = (ours.get_parameter(name).tolist() for name in ("W_1", "b_1", "W_2"))

    def formula(h: int, i: int, j: int) -> float:
        x = math.log(0.5 * abs(i - j) + 1) / math.log(0.5 * max(threshold, i) + 1)
        return sum(w_2 * max(0.0, w_1 * x + b) for w_1, b, w_2 in zip(W_1, b_1, W_2[h], strict=True))

    q, k, queries, keys = queries_and_keys(12, 20)
    behind = causal_mask(queries, keys)
    expected = bias_by_loop(H, queries, keys, formula).float()
    agree(ours.score_bias(QueryKey(q, k, queries, keys)).masked_fill(~behind, 0), expected.masked_fill(~behind, 0))


@pytest.mark.parametrize("d_bar", [8, 128])
def test_sandwich_by_its_formula(d_bar: int) -> None:
    def formula(h: int, i: int, j: int) -> float:
        cosines = (math.cos((i - j) / 10000 ** (2 * m / d_bar)) for m in range(1, d_bar // 2 + 1))
        return (sum(cosines) - d_bar / 2) / ((h + 1) * 8 / H)

    q, k, queries, keys = queries_and_keys(9, 30)
    ours = encoding("sandwich", causal=False, d_bar=d_bar).score_bias(QueryKey(q, k, queries, keys))
    agree(ours, bias_by_loop(H, queries, keys, formula).float())
