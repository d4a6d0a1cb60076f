"""PaTH, against the product of its matrices, one after the other, to 1e-5."""

import math

import pytest
import torch
from torch import Tensor

from model.positional import QueryKey
from tests.model.positional.parity.agreement import B, D, E, H, agree, encoding, queries_and_keys


def matrices(path: torch.nn.Module, k: Tensor) -> Tensor:
    """Return H_s of every token, [B, H, K, E, E], by the paper's formula, of the keys."""
    keys = k.transpose(1, 2).flatten(2)  # [B, K, H·E]
    return reflections(path.get_submodule("direction")(keys), path.get_submodule("strength")(keys))


def published_matrices(path: torch.nn.Module, x: Tensor) -> Tensor:
    """Return H_s of every token by the paper's formula, of the input: low rank, then a convolution of three tokens."""
    weights = dict(path.named_parameters())
    low = x @ weights["direction.down.weight"].T @ weights["direction.up.weight"].T  # [B, K, H·E]
    filters = weights["direction.convolution.weight"][:, 0]  # [H·E, 3]
    w = torch.zeros_like(low)
    for token in range(x.shape[1]):
        for back in range(min(token, 2) + 1):
            w[:, token] += low[:, token - back] * filters[:, 2 - back]
    return reflections(w / (1 + (-w).exp()), path.get_submodule("strength")(x))


def reflections(w: Tensor, strength: Tensor) -> Tensor:
    w = w.reshape(B, -1, H, E).transpose(1, 2)
    w = w / w.square().sum(-1, keepdim=True).sqrt()
    beta = 2 / (1 + (-strength).exp()).transpose(1, 2)  # [B, H, K]
    return torch.eye(E) - beta[..., None, None] * w[..., :, None] * w[..., None, :]


@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("n_queries", [9, 4])
def test_path_by_its_formula(n_queries: int, causal: bool, published: bool) -> None:
    path, n_keys = encoding("path", causal=causal, as_published=int(published)), 9
    q, k, queries, keys = queries_and_keys(n_queries, n_keys)
    x = torch.randn(B, n_keys, D)
    reflect = published_matrices(path, x) if published else matrices(path, k)
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
    ours = plain + path.score_bias(QueryKey(q, k, queries, keys, key_state=path.key_state(x)))
    agree(ours.masked_fill(~is_defined, 0), expected.masked_fill(~is_defined, 0))


def test_tokens_without_strength_turn_nothing() -> None:
    path = encoding("path")
    torch.nn.init.zeros_(path.get_submodule("strength").weight)
    torch.nn.init.constant_(path.get_submodule("strength").bias, -100.0)
    q, k, queries, keys = queries_and_keys(7, 7)
    agree(path.score_bias(QueryKey(q, k, queries, keys)), torch.zeros(B, H, 7, 7))
