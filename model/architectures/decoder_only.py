"""A causal decoder without an encoder (Radford et al. 2018)."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.architectures.dropout import Dropout
from model.architectures.layers import AttentionLayer, SelfAttentionLayer
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
from model.attention import AttentionPositions, LayerMemory, SegmentMemory, causal_mask
from model.config import DecoderOnlyConfig
from model.hooks import hook


class DecoderOnly(nn.Module):
    """Causal self-attention and feed-forward layers between an embedding and an output projection.

    Where tied, the embedding table is also the output projection. Its hook points are those of a decoder, without
    cross-attention.
    """

    def __init__(self, config: DecoderOnlyConfig) -> None:
        """Build the model of ``config`` with fresh weights."""
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.d_model)
        self.positional = build_positional(config, config.n_layers, causal=True)
        self.dropout = Dropout(config.dropout)
        self.layers = nn.ModuleList(_build_layer(config, layer) for layer in range(config.n_layers))
        self.final_norm = build_final_norm(config, "decoder")
        draw_fresh_weights(self, self.embedding)
        # Of the embedding table's shape and distribution.
        self.W_U = None if config.tied else nn.Parameter(torch.randn_like(self.embedding.weight) / config.d_model**0.5)

    def forward(
        self,
        tokens: Int[Tensor, "batch position"],
        *,
        cache: DecoderCache | None = None,
        memory: SegmentMemory | None = None,
        positions: Int[Tensor, " key"] | None = None,
    ) -> Float[Tensor, "batch position vocabulary"]:
        """Return the logits of the token after each position.

        Args:
            tokens: rows padded on the right, where no real token can see the padding.
            cache: the keys and values of earlier tokens, extended in place; ``tokens`` follow them.
            memory: the memory of earlier segments, extended in place; ``tokens`` follow it. Not with a cache.
            positions: those of all tokens, earlier ones first; None to count them from 0. The causal mask goes by the
                order of the tokens, whatever their positions are.

        Raises:
            ValueError: both a cache and a memory.
        """
        if cache is not None and memory is not None:
            raise ValueError("both a cache and a memory were given; give one of them")
        x = self._run(len(self.layers), tokens, cache, memory, positions)
        x = hook("decoder.output", self.final_norm(x))
        return hook("logits", F.linear(x, self.embedding.weight if self.W_U is None else self.W_U))

    def remember(self, tokens: Int[Tensor, "batch position"], memory: SegmentMemory, n_layers: int) -> None:
        """Read ``tokens`` with the first ``n_layers`` layers, and extend their memories and the next one's.

        The other memories stay as they are. This is for tokens so far back that no later layer attends to them.
        """
        x = self._run(n_layers, tokens, None, memory, None)
        if n_layers < len(self.layers):
            following: AttentionLayer = self.layers[n_layers]  # type: ignore[assignment]  # a list of modules
            following.remember(x, memory.layers[n_layers])

    def _run(
        self,
        n_layers: int,
        tokens: Tensor,
        cache: DecoderCache | None,
        memory: SegmentMemory | None,
        positions: Tensor | None,
    ) -> Tensor:
        def read(index: int, layer: nn.Module, x: Tensor, mask: Tensor, positions: AttentionPositions) -> Tensor:
            out: Tensor = layer(
                x,
                mask=mask,
                positions=positions,
                cache=None if cache is None else cache.self_attention[index],
                memory=None if memory is None else memory.layers[index],
            )
            return out

        earlier = memory if cache is None else cache
        return run_layers(
            "decoder",
            self,
            embed(self.embedding, tokens),
            read,
            causal_mask if memory is None else memory.mask,
            start=0 if earlier is None else earlier.length,
            positions=positions,
            n_layers=n_layers,
        )

    def new_cache(self) -> DecoderCache:
        """Return an empty cache for incremental decoding."""
        return DecoderCache.empty(len(self.layers), cross=False)

    def new_memory(self, mem_len: int, *, segment_length: int | None = None) -> SegmentMemory:
        """Return an empty memory of ``mem_len`` positions; raises ValueError for too few."""
        return SegmentMemory(tuple(LayerMemory(mem_len) for _ in self.layers), segment_length)


def _build_layer(config: DecoderOnlyConfig, layer: int) -> AttentionLayer:
    attention, residual = build_attention(config, f"decoder.{layer}.self_attention"), residual_factory(config)
    if not config.d_ff:
        return AttentionLayer(self_attention=attention, residual=residual)
    feed_forward = build_feed_forward(config, f"decoder.{layer}.feed_forward")
    return SelfAttentionLayer(self_attention=attention, feed_forward=feed_forward, residual=residual)
