"""The encoder–decoder of "Attention Is All You Need" (Vaswani et al. 2017, §3)."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from model.architectures.dropout import Dropout
from model.architectures.layers import DecoderLayer, EncoderLayer, ResidualFactory
from model.architectures.stack import (
    add_positions,
    build_attention,
    build_feed_forward,
    build_final_norm,
    build_positional,
    draw_fresh_weights,
    residual_factory,
)
from model.attention import AttentionPositions, KeyValueCache, causal_mask, padding_mask
from model.config import EncoderDecoderConfig
from model.hooks import hook


@dataclass(frozen=True)
class DecoderCache:
    """Keys and values of every decoder layer: of the target so far, and of the encoder's output."""

    self_attention: tuple[KeyValueCache, ...]
    cross_attention: tuple[KeyValueCache, ...]

    @classmethod
    def empty(cls, n_layers: int) -> "DecoderCache":
        """Return a cache for ``n_layers`` layers that holds nothing yet."""
        return cls(
            tuple(KeyValueCache() for _ in range(n_layers)),
            tuple(KeyValueCache() for _ in range(n_layers)),
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


class EncoderDecoder(nn.Module):
    """Encoder, decoder, and one embedding table that both share with the output projection (§3.4)."""

    def __init__(self, config: EncoderDecoderConfig) -> None:
        """Build the model of ``config`` with fresh weights."""
        super().__init__()
        self.config = config
        residual = residual_factory(config)
        self.embedding = nn.Embedding(config.vocabulary_size, config.d_model)
        self.encoder = _Encoder(config, residual)
        self.decoder = _Decoder(config, residual)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw fresh weights.

        Xavier for linear maps, N(0, 1/d_model) for embeddings, so that √d_model times them is 1.
        """
        draw_fresh_weights(self, self.embedding)

    def forward(
        self, source: Int[Tensor, "batch source"], target: Int[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target vocabulary"]:
        """Return the logits of the token after each target position, given ``target`` up to it (teacher forcing)."""
        memory, memory_mask = self.encode(source)
        return self.decode(target, memory, memory_mask)

    def encode(
        self, source: Int[Tensor, "batch source"]
    ) -> tuple[Float[Tensor, "batch source d_model"], Bool[Tensor, "batch 1 1 source"]]:
        """Return the encoder's output and the mask of its real tokens.

        ``source`` is padded with ``pad_id`` on the right.
        """
        mask = padding_mask(source, self.config.pad_id)
        return self.encoder(self._embed(source), mask), mask

    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"],
        memory_mask: Bool[Tensor, "batch 1 1 source"] | None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "batch target vocabulary"]:
        """Return the logits at each position of ``target``.

        With a ``cache``, of what follows the positions it holds.
        """
        return self.project(self.decode_hidden(target, memory, memory_mask, cache))

    def decode_hidden(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"],
        memory_mask: Bool[Tensor, "batch 1 1 source"] | None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Return the decoder's output before the projection to the vocabulary."""
        out: Tensor = self.decoder(self._embed(target), memory, memory_mask, cache)
        return out

    def project(self, hidden: Float[Tensor, "*leading d_model"]) -> Float[Tensor, "*leading vocabulary"]:
        """Return the logits of hidden states, by the transposed embedding table."""
        return hook("logits", F.linear(hidden, self.embedding.weight))

    def new_cache(self) -> DecoderCache:
        """Return an empty cache for incremental decoding."""
        return DecoderCache.empty(self.config.n_decoder_layers)

    def _embed(self, tokens: Tensor) -> Tensor:
        embedded: Tensor = self.embedding(tokens) * math.sqrt(self.config.d_model)  # [B, P, D]
        return embedded


class _Encoder(nn.Module):
    def __init__(self, config: EncoderDecoderConfig, residual: ResidualFactory) -> None:
        super().__init__()
        self.positional = build_positional(config, config.n_encoder_layers, causal=False)
        self.dropout = Dropout(config.dropout)
        self.layers = nn.ModuleList(
            EncoderLayer(
                self_attention=build_attention(config, f"encoder.{layer}.self_attention"),
                feed_forward=build_feed_forward(config, f"encoder.{layer}.feed_forward"),
                residual=residual,
            )
            for layer in range(config.n_encoder_layers)
        )
        self.final_norm = build_final_norm(config)

    def forward(self, embedded: Tensor, mask: Tensor) -> Tensor:
        positions = self.positional.map_positions(torch.arange(embedded.shape[1], device=embedded.device))
        x = self.dropout(add_positions("encoder", embedded, self.positional, positions))
        for index, layer in enumerate(self.layers):
            x = layer(x, mask=mask, positions=AttentionPositions(self.positional.at_layer(index), positions, positions))
        return hook("encoder.output", self.final_norm(x))


class _Decoder(nn.Module):
    def __init__(self, config: EncoderDecoderConfig, residual: ResidualFactory) -> None:
        super().__init__()
        self.positional = build_positional(config, config.n_decoder_layers, causal=True)
        self.dropout = Dropout(config.dropout)
        self.layers = nn.ModuleList(
            DecoderLayer(
                self_attention=build_attention(config, f"decoder.{layer}.self_attention"),
                cross_attention=build_attention(config, f"decoder.{layer}.cross_attention"),
                feed_forward=build_feed_forward(config, f"decoder.{layer}.feed_forward"),
                residual=residual,
            )
            for layer in range(config.n_decoder_layers)
        )
        self.final_norm = build_final_norm(config)

    def forward(
        self, embedded: Tensor, memory: Tensor, memory_mask: Tensor | None, cache: DecoderCache | None
    ) -> Tensor:
        start = 0 if cache is None else cache.length
        key_positions = self.positional.map_positions(torch.arange(start + embedded.shape[1], device=embedded.device))
        query_positions = key_positions[start:]
        mask = causal_mask(query_positions, key_positions)
        x = self.dropout(add_positions("decoder", embedded, self.positional, query_positions))
        for index, layer in enumerate(self.layers):
            x = layer(
                x,
                memory,
                mask=mask,
                memory_mask=memory_mask,
                positions=AttentionPositions(self.positional.at_layer(index), query_positions, key_positions),
                self_cache=None if cache is None else cache.self_attention[index],
                cross_cache=None if cache is None else cache.cross_attention[index],
            )
        return hook("decoder.output", self.final_norm(x))
