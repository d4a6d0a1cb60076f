"""Scalable softmax, against code or formulas that owe nothing to ours, to 1e-5."""

from dataclasses import replace

import pytest
import torch

from model.attention import attention_pattern, attention_scores, causal_mask
from model.positional import PositionalConfig, QueryKey, build
from tests.model.positional.parity.agreement import STACK, agree, queries_and_keys


@pytest.mark.parametrize("inner", ["none", "alibi", "rotary", "shaw", "transformer_xl"])
@pytest.mark.parametrize("n_queries", [12, 5])
def test_scalable_softmax_has_base_n_to_the_s(inner: str, n_queries: int) -> None:
    ours = build(PositionalConfig("ssmax", inner=PositionalConfig(inner)), replace(STACK, n_layers=2))
    s = ours.get_parameter("s")
    with torch.no_grad():
        s.uniform_(0.1, 1)
    q, k, queries, keys = queries_and_keys(n_queries, 12)
    allowed = causal_mask(queries, keys) & (torch.arange(12) != 3)
    qk = QueryKey(q, k, queries, keys, allowed)
    layer = ours.at_layer(1)
    found = attention_scores(*layer.transform_query_key(qk), bias=layer.score_bias(qk), mask=allowed)
    wrapped = ours.get_submodule("inner").at_layer(1)
    z = attention_scores(*wrapped.transform_query_key(qk), bias=wrapped.score_bias(qk))
    n = torch.tensor([sum(j <= i and j != 3 for j in range(12)) for i in queries.tolist()])
    powers = (n[:, None] ** (s[1][:, None, None] * z)).masked_fill(~allowed, 0)
    agree(attention_pattern(found), powers / powers.sum(-1, keepdim=True))
    assert layer.reads_pattern == wrapped.reads_pattern
    for name, term in wrapped.score_terms(qk).items():
        agree(layer.score_terms(qk)[name], term * s[1][:, None, None] * n[:, None].log())


def test_with_its_bias_the_factor_is_s_ln_n_plus_b() -> None:
    ours = build(PositionalConfig("ssmax", {"bias": 1}, PositionalConfig("alibi")), STACK)
    s, b = ours.get_parameter("s"), ours.get_parameter("b")
    with torch.no_grad():
        s.uniform_(0.1, 1)
        b.uniform_(-1, 1)
    q, k, queries, keys = queries_and_keys(5, 12)
    allowed = causal_mask(queries, keys)
    qk = QueryKey(q, k, queries, keys, allowed)
    layer, wrapped = ours.at_layer(0), ours.get_submodule("inner").at_layer(0)
    z = attention_scores(q, k, bias=wrapped.score_bias(qk))
    factor = s[0][:, None] * (queries + 1).log() + b[0][:, None]  # [H, Q]
    expected = (factor[..., None] * z).masked_fill(~allowed, -torch.inf).softmax(-1)
    scores = attention_scores(*layer.transform_query_key(qk), bias=layer.score_bias(qk), mask=allowed)
    agree(attention_pattern(scores), expected)
