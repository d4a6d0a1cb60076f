"""Which characters of a segment the loss counts (Dai et al. 2019, §4.2)."""

from collections.abc import Callable

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from model.training.loss import TokenLoss

SegmentLoss = Callable[[Tensor, Tensor], TokenLoss]


def full_loss(
    logits: Float[Tensor, "stream position vocabulary"], targets: Int[Tensor, "stream position"]
) -> TokenLoss:
    """Return the loss summed over all characters of a segment."""
    loss = F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten(), reduction="sum")  # [B·P, V], [B·P]
    return TokenLoss(smoothed=loss, cross_entropy=loss.detach(), n_tokens=targets.numel())


def half_loss(
    logits: Float[Tensor, "stream position vocabulary"], targets: Int[Tensor, "stream position"]
) -> TokenLoss:
    """Return the loss summed over the second half of a segment.

    Each character there has at least half of the segment before it.
    """
    start = targets.shape[1] // 2
    return full_loss(logits[:, start:], targets[:, start:])


LOSSES: dict[str, SegmentLoss] = {"full": full_loss, "half": half_loss}
"""The losses that a configuration may name."""
