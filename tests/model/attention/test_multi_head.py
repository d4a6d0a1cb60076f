"""Attention against PyTorch's own, and against the formula recomputed from what was recorded."""

import math
import re

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.attention import (
    AttentionPositions,
    KeyValueCache,
    MultiHeadAttention,
    attention_pattern,
    attention_scores,
    causal_mask,
    padding_mask,
)
from model.hooks import record
from model.positional import PositionalEncoding, QueryKey

N_HEADS, D_MODEL, D_HEAD = 2, 8, 4


def no_mask() -> None:
    return None


def causal() -> Tensor:
    return causal_mask(torch.arange(2, 5), torch.arange(5))


def padding() -> Tensor:
    return padding_mask(torch.tensor([[4, 5, 6, 7, 8], [4, 5, 0, 0, 0], [4, 0, 0, 0, 0]]), 0)


def both() -> Tensor:
    return causal() & padding()


MASKS = pytest.mark.parametrize("make_mask", [no_mask, causal, padding, both])


@pytest.mark.parametrize("scale", [None, 1.0, 0.3])
@MASKS
@pytest.mark.parametrize("bias_shape", [None, (1, 2, 3, 5), (3, 2, 3, 5)])
def test_scores_and_pattern_equal_scaled_dot_product_attention(make_mask, bias_shape, scale) -> None:
    q, k, v = (torch.randn(3, 2, n, 4, dtype=torch.float64) for n in (3, 5, 5))
    mask = make_mask()
    bias = None if bias_shape is None else torch.randn(bias_shape, dtype=torch.float64)
    pattern = attention_pattern(attention_scores(q, k, bias=bias, mask=mask, scale=scale))
    addend = torch.zeros(3, 1, 3, 5, dtype=torch.float64) if bias is None else bias
    addend = addend if mask is None else addend.masked_fill(~mask, -math.inf)
    torch.testing.assert_close(pattern @ v, F.scaled_dot_product_attention(q, k, v, attn_mask=addend, scale=scale))
    torch.testing.assert_close(pattern.sum(-1), torch.ones(3, 2, 3, dtype=torch.float64))


def test_scores_are_the_published_ones_on_numbers_by_hand() -> None:
    q, k = torch.tensor([[[[1.0, 2.0, 0.0, 1.0]]]]), torch.tensor([[[[3.0, 1.0, 5.0, 1.0], [0.0, 2.0, 0.0, 0.0]]]])
    scores = attention_scores(q, k)
    assert scores.tolist() == [[[[3.0, 2.0]]]]
    assert attention_pattern(scores)[0, 0, 0].tolist() == pytest.approx([1 / (1 + math.exp(-1)), 1 / (1 + math.e)])


def test_scores_need_not_be_scaled() -> None:
    q, k = torch.tensor([[[[1.0, 2.0, 0.0, 1.0]]]]), torch.tensor([[[[3.0, 1.0, 5.0, 1.0], [0.0, 2.0, 0.0, 0.0]]]])
    assert attention_scores(q, k, scale=1.0).tolist() == [[[[6.0, 4.0]]]]


def test_a_masked_cell_is_exactly_zero() -> None:
    scores = attention_scores(torch.randn(3, 2, 3, 4) * 100, torch.randn(3, 2, 5, 4), mask=both())
    pattern = attention_pattern(scores)
    forbidden = ~both().expand(3, 2, 3, 5)
    assert forbidden.any()
    assert (pattern[forbidden] == 0).all()
    assert (scores[forbidden] == -math.inf).all()


def test_a_query_sees_its_own_position_and_those_before_it() -> None:
    assert causal_mask(torch.arange(3), torch.arange(3))[0, 0].tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert causal_mask(torch.tensor([7]), torch.tensor([5, 7, 8]))[0, 0].tolist() == [[True, True, False]]


def test_padding_is_what_has_the_padding_id() -> None:
    assert padding_mask(torch.tensor([[4, 9, 9], [9, 4, 5]]), 9)[:, 0, 0].tolist() == [
        [True, False, False],
        [False, True, True],
    ]


def multi_head(d_value: int = D_HEAD) -> MultiHeadAttention:
    name = "encoder.0.self_attention"
    return MultiHeadAttention(name=name, d_model=D_MODEL, n_heads=N_HEADS, d_key=D_HEAD, d_value=d_value).double()


@MASKS
def test_multi_head_attention_equals_torch(make_mask) -> None:
    ours = multi_head()
    theirs = nn.MultiheadAttention(D_MODEL, N_HEADS, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat((ours.W_Q.weight, ours.W_K.weight, ours.W_V.weight)))
        theirs.out_proj.weight.copy_(ours.W_O.weight)
    x, context = torch.randn(3, 3, D_MODEL).double(), torch.randn(3, 5, D_MODEL).double()
    mask = make_mask()
    forbidden = None if mask is None else (~mask).expand(3, N_HEADS, 3, 5).flatten(0, 1)
    expected, pattern = theirs(x, context, context, attn_mask=forbidden, average_attn_weights=False)
    torch.testing.assert_close(ours(x, context, mask=mask), expected)
    with record("*.pattern") as seen:
        torch.testing.assert_close(ours(x, context, mask=mask), expected)
    torch.testing.assert_close(seen["encoder.0.self_attention.pattern"], pattern)


def test_keys_and_values_may_differ_in_size() -> None:
    attention = multi_head(d_value=7)
    with record("*.z") as seen:
        out = attention(torch.randn(1, 3, D_MODEL).double(), torch.randn(1, 5, D_MODEL).double())
    assert out.shape == (1, 3, D_MODEL)
    assert seen["encoder.0.self_attention.z"].shape == (1, N_HEADS, 3, 7)


SOURCE = torch.tensor([[4, 5, 6, 7, 3], [8, 9, 3, 0, 0]])
TARGET = torch.tensor([[2, 5, 6, 7], [2, 9, 8, 10]])
SOURCE_MASK = (SOURCE != 0)[:, None, None, :]
KINDS = {
    "encoder.1.self_attention": SOURCE_MASK,
    "decoder.2.self_attention": torch.ones(4, 4).tril().bool(),
    "decoder.2.cross_attention": SOURCE_MASK,
}


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("block", KINDS)
def test_recorded_attention_follows_from_recorded_queries_keys_and_values(make_model, block: str, norm: str) -> None:
    model = make_model(norm=norm)
    with record(f"{block}.*") as seen:
        model(SOURCE, TARGET)
    q, k, v, pattern = (seen[f"{block}.{point}"] for point in ("q", "k", "v", "pattern"))
    scores = q @ k.mT / math.sqrt(6) + torch.where(KINDS[block], 0.0, -math.inf)
    torch.testing.assert_close(seen[f"{block}.scores"], scores)
    torch.testing.assert_close(pattern, scores.softmax(-1))
    torch.testing.assert_close(pattern.sum(-1), torch.ones(pattern.shape[:-1]))
    forbidden = (~KINDS[block]).expand_as(pattern)
    assert forbidden.any()
    assert (pattern[forbidden] == 0).all()
    torch.testing.assert_close(seen[f"{block}.z"], pattern @ v)
    stack, layer, kind = block.split(".")
    W_O = getattr(getattr(model, stack).layers[int(layer)], kind).W_O.weight
    concatenated = torch.cat(seen[f"{block}.z"].unbind(1), dim=-1)
    torch.testing.assert_close(seen[f"{block}.output"], concatenated @ W_O.T)


def test_a_cache_grows_and_follows_the_beam() -> None:
    attention, cache = multi_head(), KeyValueCache()
    x = torch.randn(2, 4, D_MODEL).double()
    whole = attention(x, x, mask=causal_mask(torch.arange(4), torch.arange(4)))
    parts = [
        attention(x[:, :3], x[:, :3], mask=causal_mask(torch.arange(3), torch.arange(3)), cache=cache),
        attention(x[:, 3:], x[:, 3:], cache=cache),
    ]
    torch.testing.assert_close(torch.cat(parts, dim=1), whole)
    cache.select(torch.tensor([1, 1, 0]))
    torch.testing.assert_close(attention(x[[1, 1, 0], 3:], None, cache=cache), whole[[1, 1, 0], 3:])


@pytest.mark.parametrize("cache", [None, KeyValueCache()])
def test_attention_to_nothing_is_refused(cache: KeyValueCache | None) -> None:
    with pytest.raises(ValueError, match=re.escape("encoder.0.self_attention was given neither")):
        multi_head()(torch.randn(1, 1, D_MODEL).double(), None, cache=cache)


class Turned(PositionalEncoding):
    """Uses queries, keys and both positions, so that a swap of queries and keys would be seen."""

    def transform_query_key(self, qk: QueryKey) -> tuple[Tensor, Tensor]:
        return qk.q + qk.query_positions[:, None], qk.k - qk.key_positions[:, None]

    def score_bias(self, qk: QueryKey) -> Tensor:
        return (qk.query_positions[:, None] - 2.0 * qk.key_positions).expand(1, N_HEADS, -1, -1).double()


@MASKS
def test_a_positional_encoding_reaches_queries_keys_and_scores(make_mask) -> None:
    attention = multi_head()
    x, context = torch.randn(3, 3, D_MODEL).double(), torch.randn(3, 5, D_MODEL).double()
    query_positions, key_positions = torch.arange(2, 5), torch.arange(5)
    positions = AttentionPositions(Turned(), query_positions, key_positions)
    mask = make_mask()
    q, k, v = (
        layer(y).unflatten(-1, (N_HEADS, D_HEAD)).transpose(1, 2)
        for layer, y in ((attention.W_Q, x), (attention.W_K, context), (attention.W_V, context))
    )
    scores = (q + query_positions[:, None]) @ (k - key_positions[:, None]).mT / math.sqrt(D_HEAD)
    scores = scores + query_positions[:, None] - 2.0 * key_positions
    scores = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    expected = attention.W_O((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
    torch.testing.assert_close(attention(x, context, mask=mask, positions=positions), expected)
    with record("*.pattern"):
        torch.testing.assert_close(attention(x, context, mask=mask, positions=positions), expected)
