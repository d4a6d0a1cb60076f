"""The shared parts of all stacks: embedding, positions, layers, caches and fresh weights."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from model.architectures.dropout import Dropout
from model.architectures.layers import FeedForward, Join, PostNormResidual, PreNormResidual, ResidualFactory, add
from model.architectures.norm import LayerNorm
from model.attention import AttentionPositions, KeyValueCache, MultiHeadAttention
from model.config import AnyConfig
from model.hooks import hook
from model.positional import PositionalEncoding, StackSpec, build

_RESIDUALS = {"post": PostNormResidual, "pre": PreNormResidual}

MaskOf = Callable[[Int[Tensor, " query"], Int[Tensor, " key"]], Bool[Tensor, "#batch 1 #query key"]]


@dataclass(frozen=True)
class DecoderCache:
    """The keys and values of every decoder layer, of the target so far and of any encoder's output."""

    self_attention: tuple[KeyValueCache, ...]
    cross_attention: tuple[KeyValueCache, ...] = ()

    @classmethod
    def empty(cls, n_layers: int, *, cross: bool) -> "DecoderCache":
        """Return an empty cache for ``n_layers`` layers, with or without cross-attention."""
        return cls(
            tuple(KeyValueCache() for _ in range(n_layers)),
            tuple(KeyValueCache() for _ in range(n_layers if cross else 0)),
        )

    @property
    def length(self) -> int:
        """Number of target positions held."""
        k = self.self_attention[0].k
        return 0 if k is None else k.shape[2]

    def select(self, rows: Int[Tensor, " new_batch"]) -> None:
        """Keep, repeat or reorder batch rows in every layer."""
        for cache in (*self.self_attention, *self.cross_attention):
            cache.select(rows)


@runtime_checkable
class Stack(Protocol):
    """A stack of layers with its positional encoding."""

    positional: PositionalEncoding
    dropout: Dropout
    layers: nn.ModuleList


def embed(embedding: nn.Embedding, tokens: Int[Tensor, "batch position"]) -> Float[Tensor, "batch position d_model"]:
    """Return the embeddings of ``tokens``, scaled by √d_model (§3.4)."""
    embedded: Tensor = embedding(tokens) * math.sqrt(embedding.embedding_dim)  # [B, P, D]
    return embedded


def run_layers(
    name: str,
    stack: Stack,
    embedded: Float[Tensor, "batch position d_model"],
    read: Callable[[int, nn.Module, Tensor, Tensor, AttentionPositions], Tensor],
    mask_of: MaskOf,
    *,
    start: int = 0,
    positions: Int[Tensor, " key"] | None = None,
    n_layers: int | None = None,
) -> Float[Tensor, "batch position d_model"]:
    """Return the residual stream after the layers of ``stack``.

    Args:
        name: the first part of its hook points, encoder or decoder.
        stack: its layers, and what comes before them.
        embedded: the embeddings of the new tokens.
        read: runs a layer, given its number, itself, its input, the mask and the positions.
        mask_of: returns which of the keys each query may attend to, given the places of both in the row.
        start: the number of earlier tokens, which a cache or a memory holds.
        positions: those of all tokens, earlier ones first; None to count them from 0.
        n_layers: how many layers to run; None for all.
    """
    order = torch.arange(start + embedded.shape[1], device=embedded.device)
    key_positions = stack.positional.map_positions(order if positions is None else positions)
    query_positions = key_positions[start:]
    mask = mask_of(order[start:], order)
    x: Tensor = stack.dropout(add_positions(name, embedded, stack.positional, query_positions))
    for index, layer in enumerate(islice(stack.layers, n_layers)):
        in_layer = AttentionPositions(stack.positional.at_layer(index), query_positions, key_positions)
        x = read(index, layer, x, mask, in_layer)
    return x


def add_positions(
    stack: str,
    embedded: Float[Tensor, "batch position d_model"],
    positional: PositionalEncoding,
    positions: Int[Tensor, " position"],
) -> Float[Tensor, "batch position d_model"]:
    """Return the input of the first layer of ``stack``: embeddings, plus the encoding's positions."""
    embedded = hook(f"{stack}.embedding", embedded)
    encoding = positional.additive_encoding_by_row(positions, embedded.shape[0])
    if encoding is None:
        return hook(f"{stack}.input", embedded)
    encoding = hook(f"{stack}.positional.encoding", encoding.to(embedded.dtype))
    return hook(f"{stack}.input", embedded + encoding)


def residual_factory(config: AnyConfig, join: Join = add) -> ResidualFactory:
    """Return the factory of residual paths, with their LayerNorm where ``config`` places it."""
    return partial(_RESIDUALS[config.norm], d_model=config.d_model, dropout=config.dropout, join=join)


def build_positional(config: AnyConfig, n_layers: int, *, causal: bool) -> PositionalEncoding:
    """Return the encoding that ``config`` names, for a stack of ``n_layers`` layers."""
    stack = StackSpec(
        d_model=config.d_model,
        n_heads=config.n_heads,
        d_key=config.d_key,
        d_value=config.d_value,
        n_layers=n_layers,
        causal=causal,
    )
    return build(config.positional, stack)


def build_attention(config: AnyConfig, name: str, scale: float | None = None) -> MultiHeadAttention:
    """Return the attention block ``name``, whose q·k is multiplied by ``scale``, None for 1/√d_key."""
    return MultiHeadAttention(
        name=name,
        d_model=config.d_model,
        n_heads=config.n_heads,
        d_key=config.d_key,
        d_value=config.d_value,
        scale=scale,
    )


def build_feed_forward(config: AnyConfig, name: str) -> FeedForward:
    """Return the feed-forward block ``name``."""
    return FeedForward(name, d_model=config.d_model, d_ff=config.d_ff)


def build_final_norm(config: AnyConfig, stack: str) -> nn.Module:
    """Return the norm after the last layer of ``stack``; with post-norm the stream is normalised already."""
    return LayerNorm(stack, config.d_model) if config.norm == "pre" else nn.Identity()


def draw_fresh_weights(model: nn.Module, embedding: nn.Embedding) -> None:
    """Draw Xavier weights for linear maps, and N(0, 1/d_model) for the embedding.

    √d_model times the embedding then has variance 1.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
    nn.init.normal_(embedding.weight, std=embedding.embedding_dim**-0.5)
