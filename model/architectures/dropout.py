"""Dropout whose masks are cheap to draw on a CPU."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

_LEVELS = 2**8


class Dropout(nn.Module):
    """Zero each element with probability ``p`` and scale the rest by 1/(1 − p), in training only.

    Srivastava et al. 2014. On a CPU one 64-bit random number decides eight elements, several times faster than a
    Bernoulli draw for each; ``p`` is then rounded to a multiple of 1/256, and the scale with it.
    """

    def __init__(self, p: float) -> None:
        """Keep ``p``, the probability of zeroing an element."""
        super().__init__()
        self.p = p

    def forward(self, x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
        """Return ``x`` with elements dropped, of the same shape."""
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        n_dropped = min(round(self.p * _LEVELS), _LEVELS - 1)
        words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
        levels = words.view(torch.uint8)[: x.numel()].view(x.shape)
        # Cast before scaling: bool times a Python number takes an unvectorised path, thirty times slower.
        keep = (levels >= n_dropped).to(x.dtype).mul_(_LEVELS / (_LEVELS - n_dropped))
        return x * keep
