"""xPos, against code or formulas that owe nothing to ours, to 1e-5."""

import math
import warnings

import pytest
import torch

from model.attention import attention_scores
from model.positional import QueryKey
from tests.model.positional.parity.agreement import B, E, H, agree, encoding, queries_and_keys

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it calls torch.jit.script as it is imported
    import x_transformers.x_transformers as lucidrains


@pytest.mark.parametrize("n_queries", [9, 3])
def test_xpos_is_x_transformers(n_queries: int) -> None:
    """Both centre the growth, elsewhere; the scores agree."""
    q, k, queries, keys = queries_and_keys(n_queries, 9)
    ours = attention_scores(*encoding("xpos").transform_query_key(QueryKey(q, k, queries, keys)))
    frequencies, scale = lucidrains.RotaryEmbedding(E, use_xpos=True).forward(keys)
    theirs = attention_scores(
        lucidrains.apply_rotary_pos_emb(q, frequencies, scale),
        lucidrains.apply_rotary_pos_emb(k, frequencies, scale**-1),
    )
    agree(ours, theirs)


def test_xpos_by_its_formula() -> None:
    q, k, queries, keys = queries_and_keys(5, 9)
    ours = attention_scores(
        *encoding("xpos", scale_base=20.0, gamma=0.7).transform_query_key(QueryKey(q, k, queries, keys))
    )
    expected = torch.zeros(B, H, 5, 9)
    for row, n in enumerate(queries.tolist()):
        for m in keys.tolist():
            for i in range(E // 2):
                turn = torch.polar(torch.tensor(1.0), torch.tensor((n - m) * 10000 ** (-2 * i / E)))
                zeta = (2 * i / E + 0.7) / 1.7
                pair_q = torch.complex(q[:, :, row, 2 * i], q[:, :, row, 2 * i + 1])
                pair_k = torch.complex(k[:, :, m, 2 * i], k[:, :, m, 2 * i + 1])
                expected[:, :, row, m] += (pair_q * turn * pair_k.conj()).real * zeta ** ((n - m) / 20)
    agree(ours, expected / math.sqrt(E))
