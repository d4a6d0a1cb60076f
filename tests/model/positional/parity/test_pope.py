"""PoPE, against code or formulas that owe nothing to ours, to 1e-5."""

import math
import warnings

import pytest
import torch

from model.attention import attention_scores
from model.positional import QueryKey
from tests.model.positional.parity.agreement import E, H, agree, encoding, queries_and_keys

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it calls torch.jit.script as it is imported
    import x_transformers.x_transformers as lucidrains


@pytest.mark.parametrize("n_queries", [12, 5])
def test_pope_is_x_transformers(n_queries: int) -> None:
    ours, theirs = encoding("pope"), lucidrains.PolarEmbedding(E, H)
    with torch.no_grad():
        theirs.learned_bias.uniform_(-7, 1)  # past both of its bounds
        ours.get_parameter("delta").copy_(theirs.learned_bias[:, 0])
    q, k, queries, keys = queries_and_keys(n_queries, 12)
    angles, bias = theirs(keys)
    theirs_q = lucidrains.apply_polar_pos_emb(q, angles)
    theirs_k = lucidrains.apply_polar_pos_emb(k, angles + bias)
    expected = theirs_q @ theirs_k.transpose(-2, -1) / math.sqrt(E)
    agree(attention_scores(*ours.transform_query_key(QueryKey(q, k, queries, keys))), expected)


def test_pope_by_its_formula() -> None:
    ours = encoding("pope", causal=False)
    delta = ours.get_parameter("delta")
    with torch.no_grad():
        delta.uniform_(-6, 0)
    q, k, queries, keys = queries_and_keys(4, 9)
    theta = 10000.0 ** (-torch.arange(E) / E)
    size = torch.log1p(q.exp())[:, :, :, None] * torch.log1p(k.exp())[:, :, None]  # [B, H, Q, K, E]
    angle = (keys[None, :] - queries[:, None])[..., None] * theta + delta[:, None, None]  # [H, Q, K, E]
    expected = (size * angle.cos()).sum(-1) / math.sqrt(E)
    agree(attention_scores(*ours.transform_query_key(QueryKey(q, k, queries, keys))), expected)
