"""The vectors that a head passes on (Kobayashi et al. 2020, arXiv:2004.10102)."""

import torch
from jaxtyping import Float
from torch import Tensor


def contributions(
    pattern: Float[Tensor, "head query key"],
    v: Float[Tensor, "head key d_value"],
    W_O: Float[Tensor, "d_model head_d_value"],
) -> Float[Tensor, "head query key d_model"]:
    """Return α_ij v_j W_O of every head: the vector that query i receives from key j (equation 3).

    Its sum over heads and keys is the output of the block, if the positional encoding adds nothing to the values.
    ``W_O`` is the weight of the projection; the columns of head 0 come first.
    """
    by_head = W_O.reshape(-1, v.shape[0], v.shape[2]).movedim(0, -1)  # [H, E, D]
    vectors: Tensor = pattern[..., None] * (v @ by_head)[:, None]  # [H, Q, K, D]
    return vectors


def contribution_norms(
    pattern: Float[Tensor, "head query key"],
    v: Float[Tensor, "head key d_value"],
    W_O: Float[Tensor, "d_model head_d_value"],
) -> Float[Tensor, "head query key"]:
    """Return ‖α_ij v_j W_O‖, the norm of every contribution.

    It is computed as α_ij ‖v_j W_O‖, without a vector for every pair.
    """
    ones = torch.ones_like(pattern[:, :1])  # [H, 1, K]
    lengths: Tensor = contributions(ones, v, W_O).norm(dim=-1)  # [H, 1, K]
    return pattern * lengths  # [H, Q, K]
