"""PaTH, against the product of its matrices, one after the other, to 1e-5."""

import math

import pytest
import torch
from torch import Tensor

from model.positional import QueryKey
from tests.model.positional.parity.agreement import B, E, H, agree, encoding, queries_and_keys


def matrices(path: torch.nn.Module, k: Tensor) -> Tensor:
    """Return H_s of every token, [B, H, K, E, E], by the paper's formula."""
    keys = k.transpose(1, 2).flatten(2)  # [B, K, H·E]
    w = path.get_submodule("direction")(keys).reshape(B, -1, H, E).transpose(1, 2)
    w = w / w.square().sum(-1, keepdim=True).sqrt()
    beta = 2 / (1 + (-path.get_submodule("strength")(keys)).exp()).transpose(1, 2)  # [B, H, K]
    return torch.eye(E) - beta[..., None, None] * w[..., :, None] * w[..., None, :]


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("n_queries", [9, 4])
def test_path_by_its_formula(n_queries: int, causal: bool) -> None:
    path, n_keys = encoding("path", causal=causal), 9
    q, k, queries, keys = queries_and_keys(n_queries, n_keys)
    reflect = matrices(path, k)
    expected, is_defined = torch.zeros(B, H, n_queries, n_keys), torch.ones(n_queries, n_keys, dtype=torch.bool)
    for row in range(n_queries):
        place = n_keys - n_queries + row
        for key in range(n_keys):
            # From the query to the key, which takes no part itself.
            way = range(place, key, -1) if key <= place else range(place, key)
            turned = q[:, :, row, :, None]  # [B, H, E, 1]
            for token in way:
                turned = reflect[:, :, token] @ turned
            expected[:, :, row, key] = ((k[:, :, key] * turned[..., 0]).sum(-1)) / math.sqrt(E)
            is_defined[row, key] = key <= place or not causal
    plain = q @ k.transpose(-2, -1) / math.sqrt(E)
    ours = plain + path.score_bias(QueryKey(q, k, queries, keys))
    agree(ours.masked_fill(~is_defined, 0), expected.masked_fill(~is_defined, 0))


def test_tokens_without_strength_turn_nothing() -> None:
    path = encoding("path")
    torch.nn.init.zeros_(path.get_submodule("strength").weight)
    torch.nn.init.constant_(path.get_submodule("strength").bias, -100.0)
    q, k, queries, keys = queries_and_keys(7, 7)
    agree(path.score_bias(QueryKey(q, k, queries, keys)), torch.zeros(B, H, 7, 7))
