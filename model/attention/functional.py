"""Scaled dot-product attention as pure functions (Vaswani et al. 2017, §3.2.1, equation 1)."""

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def attention_scores(
    q: Float[Tensor, "batch head query d_key"],
    k: Float[Tensor, "batch head key d_key"],
    *,
    bias: Float[Tensor, "#batch head query key"] | None = None,
    mask: Bool[Tensor, "#batch 1 #query key"] | None = None,
    scale: float | None = None,
) -> Float[Tensor, "batch head query key"]:
    """Return q·k/√d_key, or q·k times ``scale``, plus ``bias``, and −∞ wherever ``mask`` is False."""
    products = q @ k.transpose(-2, -1)  # [B, H, Q, K]
    scores = products / math.sqrt(q.shape[-1]) if scale is None else products * scale
    if bias is not None:
        scores = scores + bias
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores


def attention_pattern(scores: Float[Tensor, "*leading key"]) -> Float[Tensor, "*leading key"]:
    """Return the softmax of ``scores`` over the keys; each row sums to one.

    A row whose keys are all masked gives NaN, as in ``torch.softmax``; in the models here every query has a key.
    """
    return torch.softmax(scores, dim=-1)


def causal_mask(
    query_positions: Int[Tensor, " query"], key_positions: Int[Tensor, " key"]
) -> Bool[Tensor, "1 1 query key"]:
    """Return True where a query may attend to a key: at its own position and before it.

    Positions instead of lengths make one formula serve full sequences, cached decoding and memory.
    """
    return (key_positions[None, :] <= query_positions[:, None])[None, None]  # [1, 1, Q, K]


def padding_mask(tokens: Int[Tensor, "batch key"], pad_id: int) -> Bool[Tensor, "batch 1 1 key"]:
    """Return True at every key that is a real token, False at padding."""
    return (tokens != pad_id)[:, None, None, :]  # [B, 1, 1, K]


def narrowed_mask(
    mask: Bool[Tensor, "#batch 1 #query key"] | None, visible: Bool[Tensor, "query key"] | None
) -> Bool[Tensor, "#batch 1 #query key"] | None:
    """Return what both allow; a query that both leave no key, which is padding, sees what is visible.

    A softmax over no key is NaN, which the next layer would spread.
    """
    if mask is None or visible is None:
        return mask if visible is None else visible[None, None]
    both = mask & visible
    return both | (visible & ~both.any(-1, keepdim=True))
