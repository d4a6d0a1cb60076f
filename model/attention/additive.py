"""Additive attention (Bahdanau, Cho and Bengio 2014, arXiv:1409.0473)."""

import torch
from jaxtyping import Float
from torch import Tensor


def additive_scores(
    q: Float[Tensor, "*batch query d_query"],
    k: Float[Tensor, "*batch key d_key"],
    *,
    W_a: Float[Tensor, "d_query d_hidden"],
    U_a: Float[Tensor, "d_key d_hidden"],
    v_a: Float[Tensor, " d_hidden"],
) -> Float[Tensor, "*batch query key"]:
    """Return v_a·tanh(q W_a + k U_a) for every query and key.

    Each pair passes through a layer of ``d_hidden`` units (§A.1.2, here with row vectors). No factor 1/√d is needed,
    because tanh bounds every unit.
    """
    hidden = torch.tanh((q @ W_a)[..., :, None, :] + (k @ U_a)[..., None, :, :])  # [..., Q, K, hidden]
    return hidden @ v_a
