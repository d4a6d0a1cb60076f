"""CoPE, against code or formulas that owe nothing to ours, to 1e-5."""

import warnings

import pytest
import torch

from model.attention import attention_scores, causal_mask
from model.positional import QueryKey
from tests.model.positional.parity.agreement import B, E, H, agree, encoding, queries_and_keys

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it calls torch.jit.script as it is imported
    import x_transformers.x_transformers as lucidrains


@pytest.mark.parametrize("max_count", [4, 64])
@pytest.mark.parametrize("n_queries", [20, 6])
def test_cope_is_x_transformers(max_count: int, n_queries: int) -> None:
    ours = encoding("cope", max_count=max_count)
    theirs = lucidrains.CoPE(dim=E, heads=H, max_pos=max_count)
    with torch.no_grad():
        theirs.pos_emb.normal_()
        ours.get_parameter("table").copy_(theirs.pos_emb)
    q, k, queries, keys = queries_and_keys(n_queries, 20)
    mask = causal_mask(queries, keys)
    scores = attention_scores(q, k).masked_fill(~mask, torch.finfo(torch.float32).min)
    agree(
        ours.score_bias(QueryKey(q, k, queries, keys)).masked_fill(~mask, 0),
        theirs(q, scores).masked_fill(~mask, 0),
    )


def test_cope_between_two_positions_by_its_formula() -> None:
    ours = encoding("cope", causal=False, max_count=5)
    table = ours.get_parameter("table")
    with torch.no_grad():
        table.normal_()
    q, k, queries, keys = queries_and_keys(7, 7)
    gates = attention_scores(q, k).sigmoid()
    expected = torch.zeros(B, H, 7, 7)
    for i in range(7):
        for j in range(7):
            count = gates[:, :, i, min(i, j) : max(i, j) + 1].sum(-1).clamp(max=4)
            share = (count - count.floor())[..., None]
            e = table[count.ceil().long()] * share + table[count.floor().long()] * (1 - share)
            expected[:, :, i, j] = (q[:, :, i] * e).sum(-1)
    agree(ours.score_bias(QueryKey(q, k, queries, keys)), expected)


def test_cope_counts_in_the_order_of_the_tokens_also_where_positions_are_coupled() -> None:
    ours = encoding("cope", max_count=5)
    with torch.no_grad():
        ours.get_parameter("table").normal_()
    q, k, queries, keys = queries_and_keys(6, 6)
    coupled = torch.tensor([0, 1, 2, 3, 2, 1])
    agree(ours.score_bias(QueryKey(q, k, coupled, coupled)), ours.score_bias(QueryKey(q, k, queries, keys)))
