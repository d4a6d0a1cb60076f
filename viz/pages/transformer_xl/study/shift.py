"""The relative shift on a real head (Dai et al. 2019, appendix B): scores by distance, then by key."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float32, Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.architectures.transformer_xl import relative_shift
from model.attention import SegmentMemory
from model.hooks import record
from model.positional.transformer_xl import TransformerXLEncoding


@dataclass(frozen=True)
class PositionQueries:
    """A layer's queries for distances in one segment, q + v, and the resulting bias.

    Attributes:
        encoding: of the layer.
        queries: q + v.
        position_bias: terms (b) and (d) as the layer added them to its scores.
    """

    encoding: TransformerXLEncoding
    queries: Float32[Tensor, "head query d_key"]
    position_bias: Float32[Tensor, "head query key"]


@dataclass(frozen=True)
class Shift:
    """Scores of position, (q + v)·W_kR R / √d_key, on both ways to each key.

    Attributes:
        by_distance: column c is for the distance K − 1 − c, whatever the query.
        shifted: the same after the shift: column j is for key j, where it is not masked.
        pairwise: each with an R_{i−j} computed for its own pair of query and key.
    """

    by_distance: Float32[np.ndarray, "head query key"]
    shifted: Float32[np.ndarray, "head query key"]
    pairwise: Float32[np.ndarray, "head query key"]

    @property
    def allowed(self) -> Bool[np.ndarray, "query key"]:
        """The pairs whose key does not come after the query; the last query stands at the last key."""
        n_queries, n_keys = self.shifted.shape[1:]
        return np.arange(n_keys)[None, :] <= np.arange(n_keys - n_queries, n_keys)[:, None]

    @property
    def difference(self) -> float:
        """The largest difference between the two ways, over all pairs that are not masked."""
        return float(np.abs(self.shifted - self.pairwise)[:, self.allowed].max())

    @property
    def n_vectors(self) -> tuple[int, int]:
        """The number of vectors W_kR R to compute for a head: pair by pair, and with the shift."""
        n_queries, n_keys = self.shifted.shape[1:]
        return n_queries * n_keys, n_keys


@torch.inference_mode()
def position_queries(
    model: DecoderOnly, tokens: Int[Tensor, "1 query"], memory: SegmentMemory, layer: int
) -> PositionQueries:
    """Return the position queries of ``layer`` at ``tokens`` after ``memory``, which is unchanged.

    ``model`` is in evaluation mode.

    Raises:
        ValueError: the encoding of the model has no such terms.
    """
    encoding = model.positional.at_layer(layer)
    if not isinstance(encoding, TransformerXLEncoding):
        raise ValueError(f"{model.config.positional.name} has no terms of position; take a model with transformer_xl")
    block = f"decoder.{layer}.self_attention"
    with record(f"{block}.q", f"{block}.position_bias") as seen:
        model(tokens, memory=memory.copy())
    # The hook sees q + u, which the scores of content are made with.
    queries = seen[f"{block}.q"][0] + (encoding.v - encoding.u)[:, None]
    return PositionQueries(encoding, queries, seen[f"{block}.position_bias"][0])


@torch.inference_mode()
def shift(encoding: TransformerXLEncoding, queries: Float32[Tensor, "head query d_key"], n_keys: int) -> Shift:
    """Return the scores of ``queries`` with ``n_keys`` keys; the last key is the last query's own.

    Raises:
        ValueError: fewer keys than queries.
    """
    n_queries = queries.shape[1]
    if n_keys < n_queries:
        raise ValueError(f"{n_keys} keys were given for {n_queries} queries; a query's own key is one of them")
    size = math.sqrt(queries.shape[-1])
    relative_keys = _relative_keys(encoding, torch.arange(n_keys - 1, -1, -1))
    by_distance = torch.einsum("hqe,rhe->hqr", queries, relative_keys) / size
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)  # [Q, K]
    each = _relative_keys(encoding, distance.flatten()).reshape(*distance.shape, *encoding.u.shape)  # [Q, K, H, E]
    pairwise = torch.einsum("hqe,qkhe->hqk", queries, each) / size
    score_maps = (by_distance, relative_shift(by_distance), pairwise)
    return Shift(*(scores.numpy() for scores in score_maps))


def _relative_keys(encoding: TransformerXLEncoding, distance: Tensor) -> Tensor:
    return encoding.relative_keys(distance.clamp(max=encoding.clamp) if encoding.clamp else distance)  # [R, H, E]
