"""The scores of a head as a named one: previous-token head, or induction head."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

NOWHERE = -1
"""The target of a query whose token has not occurred before."""


def previous_token_score(pattern: Float[Tensor, "batch head query key"]) -> Float[Tensor, " head"]:
    """Return each head's mean weight on the position before the query, over all queries but the first."""
    return pattern.diagonal(-1, dim1=-2, dim2=-1).mean((0, 2))


def induction_targets(tokens: Int[Tensor, "batch position"]) -> Int[Tensor, "batch position"]:
    """Return the position after the last earlier occurrence of each token, or :data:`NOWHERE`."""
    n_positions = tokens.shape[1]
    is_same = tokens[:, :, None] == tokens[:, None, :]  # [B, Q, K]
    places = torch.arange(1, n_positions + 1, device=tokens.device)
    after = torch.where(is_same.tril(-1), places, 0).amax(-1)  # [B, Q]
    return torch.where(after > 0, after, NOWHERE)


def induction_score(
    pattern: Float[Tensor, "batch head query key"], tokens: Int[Tensor, "batch query"]
) -> Float[Tensor, " head"]:
    """Return each head's mean weight on the token after the last earlier occurrence of the query's token.

    It is over all queries whose token has occurred before (Olsson et al. 2022, arXiv:2209.11895, call it prefix
    matching); NaN where there are none. Where a token stands three times or more, the measure of the same name in
    :mod:`model.analysis.maps.head_roles` counts all of the earlier ones.
    """
    targets = induction_targets(tokens)
    has_target = targets != NOWHERE  # [B, Q]
    keys = targets.clamp(min=0)[:, None, :, None].expand(-1, pattern.shape[1], -1, -1)  # [B, H, Q, 1]
    weights = pattern.gather(-1, keys)[..., 0]  # [B, H, Q]
    return (weights * has_target[:, None]).sum((0, 2)) / has_target.sum()
