"""The effect of an encoding between every two positions, without words: ours and other models' alike."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float32
from torch import Tensor

from model.attention.functional import causal_mask
from model.positional import EncodingError, PositionalConfig, PositionalEncoding, QueryKey, StackSpec, build, registered

Meaning = Literal["vectors", "bias", "rotation"]


@dataclass(frozen=True)
class Pattern:
    """One number for every two positions.

    Attributes:
        meaning: what the numbers are: the cosine of the two vectors that are added to the embeddings; what is added to
            the score; or the score of a query and a key of ones after both were rotated, as a share of that before.
        values: [head, query, key]; NaN where the attention is causal and the key stands after the query.
    """

    meaning: Meaning
    values: Float32[np.ndarray, "head query key"]


def pattern_of(encoding: PositionalEncoding, stack: StackSpec, n_positions: int) -> Pattern:
    """Return what ``encoding`` makes of the first ``n_positions`` positions.

    Raises:
        ValueError: positions that it does not have.
    """
    with torch.inference_mode():
        positions = encoding.map_positions(torch.arange(n_positions))
        added = encoding.additive_encoding(positions)
        if added is not None:
            vectors = torch.nn.functional.normalize(added.float(), dim=-1)
            return Pattern("vectors", (vectors @ vectors.T)[None].numpy())
        layer, mask = encoding.at_layer(0), causal_mask(positions, positions) if stack.causal else None
        bias = layer.score_bias(_qk(torch.zeros, stack, positions, mask))
        if bias is not None:
            return Pattern("bias", _seen(bias[0].expand(stack.n_heads, -1, -1), mask))
        q, k = layer.transform_query_key(_qk(torch.ones, stack, positions, mask))
        return Pattern("rotation", _seen((q @ k.transpose(-2, -1) / stack.d_key)[0], mask))


def our_pattern(name: str, stack: StackSpec, n_positions: int) -> Pattern:
    """Return what our encoding ``name`` makes of them, with its own default parameters."""
    return pattern_of(build(PositionalConfig(name), stack).eval(), stack, n_positions)


def our_encodings() -> tuple[str, ...]:
    """Return the encodings with a pattern: neither trained ones nor those that depend on words."""
    return tuple(name for name in registered() if _has_pattern(name))


def by_distance(pattern: Pattern, head: int, distance: int) -> float:
    """Return the mean over all queries of what stands ``distance`` before them."""
    return float(np.diagonal(pattern.values[head], -distance).mean())


def _has_pattern(name: str) -> bool:
    description = registered()[name].description
    if description.properties.learned or description.inner is not None:
        return False
    try:
        pattern = our_pattern(name, StackSpec(64, 2, 32, 32, n_layers=1, causal=False), 8)
    except (EncodingError, ValueError):
        return False
    return bool(np.ptp(pattern.values) > 0)


def _qk(make: Callable[..., Tensor], stack: StackSpec, positions: Tensor, mask: Tensor | None) -> QueryKey:
    words = make((1, stack.n_heads, len(positions), stack.d_key))  # [1, H, P, E]
    return QueryKey(words, words, positions, positions, mask)


def _seen(values: Tensor, mask: Tensor | None) -> Float32[np.ndarray, "head query key"]:
    numbers: Tensor = values if mask is None else values.masked_fill(~mask[0], torch.nan)
    return numbers.float().numpy()
