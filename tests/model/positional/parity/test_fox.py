"""FoX, against code or formulas that owe nothing to ours, to 1e-5."""

import warnings

import pytest
import torch

from model.attention import causal_mask
from model.positional import QueryKey
from tests.model.positional.parity.agreement import B, D, E, H, agree, encoding, queries_and_keys

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it calls torch.jit.script as it is imported
    import x_transformers.x_transformers as lucidrains


@pytest.mark.parametrize("n_queries", [12, 5])
def test_fox_is_x_transformers_where_it_reads_keys(n_queries: int) -> None:
    ours, theirs = encoding("fox"), lucidrains.DataDependentAlibi(H * E, H)
    ours.get_submodule("gate").load_state_dict(theirs.to_forget_gates[0].state_dict())
    q, k, queries, keys = queries_and_keys(n_queries, 12)
    behind = causal_mask(queries, keys)
    expected = theirs(k.transpose(1, 2).flatten(2))[:, :, 12 - n_queries :]
    agree(ours.score_bias(QueryKey(q, k, queries, keys)).masked_fill(~behind, 0), expected.masked_fill(~behind, 0))


def test_fox_by_its_formula_in_both_directions() -> None:
    ours = encoding("fox", causal=False)
    q, k, queries, keys = queries_and_keys(7, 7)
    f = ours.get_submodule("gate")(k.transpose(1, 2).flatten(2)).sigmoid()  # [B, K, H]
    expected = torch.zeros(B, H, 7, 7)
    for i in range(7):
        for j in range(7):
            expected[:, :, i, j] = f[:, min(i, j) + 1 : max(i, j) + 1].prod(1).log()
    agree(ours.score_bias(QueryKey(q, k, queries, keys)), expected)


@pytest.mark.parametrize("n_queries", [12, 5])
def test_fox_is_x_transformers_where_it_reads_the_input(n_queries: int) -> None:
    ours, theirs = encoding("fox", reads_input=1), lucidrains.DataDependentAlibi(D, H)
    ours.get_submodule("gate").load_state_dict(theirs.to_forget_gates[0].state_dict())
    q, k, queries, keys = queries_and_keys(n_queries, 12)
    x = torch.randn(B, 12, D)
    behind = causal_mask(queries, keys)
    bias = ours.score_bias(QueryKey(q, k, queries, keys, key_state=ours.key_state(x)))
    agree(bias.masked_fill(~behind, 0), theirs(x)[:, :, 12 - n_queries :].masked_fill(~behind, 0))
