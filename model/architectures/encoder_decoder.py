"""The encoder–decoder of "Attention Is All You Need" (Vaswani et al. 2017, §3)."""

import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from model.architectures.dropout import Dropout
from model.architectures.layers import DecoderLayer, ResidualFactory, SelfAttentionLayer, add, replace
from model.architectures.stack import (
    DecoderCache,
    build_attention,
    build_feed_forward,
    build_final_norm,
    build_positional,
    draw_fresh_weights,
    embed,
    residual_factory,
    run_layers,
)
from model.attention import AttentionPositions, causal_mask, padding_mask
from model.config import EncoderDecoderConfig
from model.hooks import hook

_JOINS = {"add": add, "none": replace}


class EncoderDecoder(nn.Module):
    """Encoder, decoder, and one embedding table that both share with the output projection (§3.4)."""

    def __init__(self, config: EncoderDecoderConfig) -> None:
        """Build the model of ``config`` with fresh weights."""
        super().__init__()
        self.config = config
        residual = residual_factory(config, _JOINS[config.residual])
        self.embedding = nn.Embedding(config.vocabulary_size, config.d_model)
        self.encoder = _Encoder(config, residual)
        self.decoder = _Decoder(config, residual)
        draw_fresh_weights(self, self.embedding)

    def forward(
        self, source: Int[Tensor, "batch source"], target: Int[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target vocabulary"]:
        """Return the logits of the token after each target position (teacher forcing)."""
        memory, memory_mask = self.encode(source)
        return self.decode(target, memory, memory_mask)

    def encode(
        self, source: Int[Tensor, "batch source"]
    ) -> tuple[Float[Tensor, "batch source d_model"], Bool[Tensor, "batch 1 1 source"]]:
        """Return the encoder's output and the mask of its real tokens.

        ``source`` is padded with ``pad_id`` on the right.
        """
        mask = padding_mask(source, self.config.pad_id)
        return self.encoder(embed(self.embedding, source), mask), mask

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
        out: Tensor = self.decoder(embed(self.embedding, target), memory, memory_mask, cache)
        return out

    def project(self, hidden: Float[Tensor, "*leading d_model"]) -> Float[Tensor, "*leading vocabulary"]:
        """Return the logits of hidden states, by the transposed embedding table."""
        return hook("logits", F.linear(hidden, self.embedding.weight))

    def new_cache(self) -> DecoderCache:
        """Return an empty cache for incremental decoding."""
        return DecoderCache.empty(self.config.n_decoder_layers, cross=True)


class _Encoder(nn.Module):
    def __init__(self, config: EncoderDecoderConfig, residual: ResidualFactory) -> None:
        super().__init__()
        self.positional = build_positional(config, config.n_encoder_layers, causal=False)
        self.dropout = Dropout(config.dropout)
        self.layers = nn.ModuleList(
            SelfAttentionLayer(
                self_attention=build_attention(config, f"encoder.{layer}.self_attention", config.score_scale),
                feed_forward=build_feed_forward(config, f"encoder.{layer}.feed_forward"),
                residual=residual,
            )
            for layer in range(config.n_encoder_layers)
        )
        self.final_norm = build_final_norm(config, "encoder")

    def forward(self, embedded: Tensor, mask: Tensor) -> Tensor:
        def read(_: int, layer: nn.Module, x: Tensor, mask: Tensor, positions: AttentionPositions) -> Tensor:
            out: Tensor = layer(x, mask=mask, positions=positions)
            return out

        return hook("encoder.output", self.final_norm(run_layers("encoder", self, embedded, read, lambda *_: mask)))


class _Decoder(nn.Module):
    def __init__(self, config: EncoderDecoderConfig, residual: ResidualFactory) -> None:
        super().__init__()
        self.positional = build_positional(config, config.n_decoder_layers, causal=True)
        self.dropout = Dropout(config.dropout)
        self.layers = nn.ModuleList(
            DecoderLayer(
                self_attention=build_attention(config, f"decoder.{layer}.self_attention", config.score_scale),
                cross_attention=build_attention(config, f"decoder.{layer}.cross_attention", config.score_scale),
                feed_forward=build_feed_forward(config, f"decoder.{layer}.feed_forward"),
                residual=residual,
            )
            for layer in range(config.n_decoder_layers)
        )
        self.final_norm = build_final_norm(config, "decoder")

    def forward(
        self, embedded: Tensor, memory: Tensor, memory_mask: Tensor | None, cache: DecoderCache | None
    ) -> Tensor:
        def read(index: int, layer: nn.Module, x: Tensor, mask: Tensor, positions: AttentionPositions) -> Tensor:
            out: Tensor = layer(
                x,
                memory,
                mask=mask,
                memory_mask=memory_mask,
                positions=positions,
                self_cache=None if cache is None else cache.self_attention[index],
                cross_cache=None if cache is None else cache.cross_attention[index],
            )
            return out

        start = 0 if cache is None else cache.length
        x = run_layers("decoder", self, embedded, read, causal_mask, start=start)
        return hook("decoder.output", self.final_norm(x))
