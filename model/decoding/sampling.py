"""Choosing the next token: the most probable one, or one drawn with temperature, top-k and top-p."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from model.decoding.options import DecodingOptions, SamplingOptions

Pick = Callable[[Float[Tensor, " vocabulary"]], int]
"""Chooses a token by its score; a score of −∞ rules a token out."""


def sampling_distribution(
    scores: Float[Tensor, "*batch vocabulary"], options: SamplingOptions
) -> Float[Tensor, "*batch vocabulary"]:
    """Return the sampling distribution: 0 outside the nucleus (Holtzman et al. 2020, §3.1) and top k.

    The most probable token is always kept, and the probabilities sum to 1.

    Args:
        scores: logits or log-probabilities; −∞ rules a token out.
        options: temperature, top-k and top-p.
    """
    precise = scores.double()
    # What is divided is at most 0, so that no temperature makes two infinite scores.
    scaled = (precise - precise.amax(-1, keepdim=True)) / options.temperature
    if 0 < options.top_k < scaled.shape[-1]:
        rest = scaled.sort(dim=-1, descending=True, stable=True).indices[..., options.top_k :]
        scaled = scaled.scatter(-1, rest, -torch.inf)
    probabilities = scaled.softmax(-1)
    ordered, order = probabilities.sort(dim=-1, descending=True, stable=True)
    more_probable = ordered.cumsum(-1) - ordered
    kept = ordered.masked_fill(more_probable >= options.top_p, 0.0)
    chosen = torch.zeros_like(probabilities).scatter(-1, order, kept)
    return (chosen / chosen.sum(-1, keepdim=True)).to(scores.dtype)


def most_probable(scores: Float[Tensor, " vocabulary"]) -> int:
    """Return the token of the highest score."""
    return int(scores.numpy(force=True).argmax())  # for one row, NumPy is several times as fast


def pick_of(options: DecodingOptions) -> Pick:
    """Return what chooses tokens by ``options``: greedily, or by draws from a generator of their seed."""
    sampling = options.sampling
    if sampling is None:
        return most_probable
    rng = torch.Generator().manual_seed(options.seed)
    return lambda scores: int(torch.multinomial(sampling_distribution(scores, sampling), 1, generator=rng))
