"""Drawing the next token: temperature, the k most probable, and the nucleus (Holtzman et al. 2020, §3.1)."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class SamplingOptions:
    """How to draw.

    Attributes:
        temperature: scores are divided by it before the softmax: below 1 the probable becomes more so.
        top_p: drawn is from the fewest most probable tokens that together have this probability or more.
        top_k: and from no more than so many of the most probable (Fan et al. 2018); 0 is all. It comes first, and
            ``top_p`` is a share of what it leaves.

    Raises:
        ValueError: a temperature that is not above 0, a share outside 0 to 1, or a count below 0.
    """

    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0

    def __post_init__(self) -> None:
        """Check every value."""
        if not 0 < self.temperature < math.inf:
            raise ValueError(f"temperature is {self.temperature}; it must be above 0 and finite")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p is {self.top_p}; it must be above 0 and at most 1")
        if self.top_k < 0:
            raise ValueError(f"top_k is {self.top_k}; it must be 0, for all, or more")


def nucleus(scores: Float[Tensor, "*batch vocabulary"], options: SamplingOptions) -> Float[Tensor, "*batch vocabulary"]:
    """Return the probabilities to draw by: 0 outside the nucleus, 1 in all; the most probable token is always in it.

    Args:
        scores: logits or log-probabilities; −∞ rules a token out.
        options: how to draw.
    """
    warmed = scores.double() / options.temperature
    if 0 < options.top_k < warmed.shape[-1]:
        rest = warmed.sort(dim=-1, descending=True, stable=True).indices[..., options.top_k :]
        warmed = warmed.scatter(-1, rest, -math.inf)
    probabilities = warmed.softmax(-1)
    ordered, order = probabilities.sort(dim=-1, descending=True, stable=True)
    more_probable = ordered.cumsum(-1) - ordered
    kept = ordered.masked_fill(more_probable >= options.top_p, 0.0)
    chosen = torch.zeros_like(probabilities).scatter(-1, order, kept)
    return (chosen / chosen.sum(-1, keepdim=True)).to(scores.dtype)
