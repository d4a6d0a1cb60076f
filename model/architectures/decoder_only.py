"""A causal decoder without an encoder: one stack that reads a prompt and goes on writing (Radford et al. 2018)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.architectures.dropout import Dropout
from model.architectures.layers import EncoderLayer
from model.architectures.stack import (
    add_positions,
    build_attention,
    build_feed_forward,
    build_final_norm,
    build_positional,
    draw_fresh_weights,
    residual_factory,
)
from model.attention import AttentionPositions, KeyValueCache, LayerMemory, SegmentMemory, causal_mask
from model.config import DecoderOnlyConfig
from model.hooks import hook
from model.text.padding import pad


@dataclass(frozen=True)
class DecoderOnlyCache:
    """Keys and values of every layer, of the tokens so far."""

    layers: tuple[KeyValueCache, ...]

    @property
    def length(self) -> int:
        """Number of positions held."""
        k = self.layers[0].k
        return 0 if k is None else k.shape[2]


class DecoderOnly(nn.Module):
    """Causal self-attention and feed-forward layers; one embedding table is also the output projection.

    Its hook points are those of a decoder, without cross-attention.
    """

    def __init__(self, config: DecoderOnlyConfig) -> None:
        """Build the model of ``config`` with fresh weights."""
        super().__init__()
        self.config = config
        residual = residual_factory(config)
        self.embedding = nn.Embedding(config.vocabulary_size, config.d_model)
        self.positional = build_positional(config, config.n_layers, causal=True)
        self.dropout = Dropout(config.dropout)
        self.layers = nn.ModuleList(
            EncoderLayer(
                self_attention=build_attention(config, f"decoder.{layer}.self_attention"),
                feed_forward=build_feed_forward(config, f"decoder.{layer}.feed_forward"),
                residual=residual,
            )
            for layer in range(config.n_layers)
        )
        self.final_norm = build_final_norm(config)
        draw_fresh_weights(self, self.embedding)

    def forward(
        self,
        tokens: Int[Tensor, "batch position"],
        *,
        cache: DecoderOnlyCache | None = None,
        memory: SegmentMemory | None = None,
        positions: Int[Tensor, " key"] | None = None,
    ) -> Float[Tensor, "batch position vocabulary"]:
        """Return the logits of the token after each position.

        Args:
            tokens: rows padded on the right, where no real token can see the padding.
            cache: what earlier calls have read; ``tokens`` follow it.
            memory: what is remembered of earlier segments, extended in place; ``tokens`` follow it. Not with a cache.
            positions: where all tokens, earlier ones first, are said to stand; None to count them from 0. What a token
                may look at goes by its place in the row, whatever these say.

        Raises:
            ValueError: both a cache and a memory.
        """
        if cache is not None and memory is not None:
            raise ValueError("both a cache and a memory were given; give one of them")
        x = self._through(len(self.layers), tokens, cache, memory, positions)
        x = hook("decoder.output", self.final_norm(x))
        return hook("logits", F.linear(x, self.embedding.weight))

    def remember(self, tokens: Int[Tensor, "batch position"], memory: SegmentMemory, n_layers: int) -> None:
        """Read ``tokens`` with the first ``n_layers`` layers alone, and extend their memories and that of the next one.

        The other memories stay as they are. It is for tokens so far back that no more of them is ever looked at.
        """
        x = self._through(n_layers, tokens, None, memory, None)
        if n_layers < len(self.layers):
            following: EncoderLayer = self.layers[n_layers]  # type: ignore[assignment]  # a list of modules
            following.remember(x, memory.layers[n_layers])

    def _through(
        self,
        n_layers: int,
        tokens: Tensor,
        cache: DecoderOnlyCache | None,
        memory: SegmentMemory | None,
        positions: Tensor | None,
    ) -> Tensor:
        earlier = memory if cache is None else cache
        start = 0 if earlier is None else earlier.length
        order = torch.arange(start + tokens.shape[1], device=tokens.device)
        key_positions = self.positional.map_positions(order if positions is None else positions)
        query_positions = key_positions[start:]
        mask = (causal_mask if memory is None else memory.mask)(order[start:], order)
        embedded = self.embedding(tokens) * math.sqrt(self.config.d_model)  # [B, P, D]
        x: Tensor = self.dropout(add_positions("decoder", embedded, self.positional, query_positions))
        for index, layer in enumerate(self.layers[:n_layers]):
            x = layer(
                x,
                mask=mask,
                positions=AttentionPositions(self.positional.at_layer(index), query_positions, key_positions),
                cache=None if cache is None else cache.layers[index],
                memory=None if memory is None else memory.layers[index],
            )
        return x

    def new_cache(self) -> DecoderOnlyCache:
        """Return an empty cache for incremental decoding."""
        return DecoderOnlyCache(tuple(KeyValueCache() for _ in self.layers))

    def new_memory(
        self, mem_len: int, *, same_length: bool = False, segment_length: int | None = None
    ) -> SegmentMemory:
        """Return an empty memory of ``mem_len`` positions; raises ValueError if that is too few."""
        return SegmentMemory(tuple(LayerMemory(mem_len) for _ in self.layers), same_length, segment_length)


@torch.inference_mode()
def continue_greedily(
    model: DecoderOnly,
    prompts: Sequence[Sequence[int]],
    n_tokens: int,
    positions: Int[Tensor, " longest"] | None = None,
) -> list[list[int]]:
    """Return what ``model``, in evaluation mode, writes after each prompt, always taking the most probable token.

    Prompts of unequal length run as one batch: while a longer one is still being read, its own tokens take the place
    of the written ones.

    Args:
        model: in evaluation mode.
        prompts: tokens, BOS first, at least one each.
        n_tokens: how many tokens at most; a row ends before them with EOS, which is kept.
        positions: where tokens are said to stand, for the longest prompt and ``n_tokens`` more; None to count from 0.

    Raises:
        ValueError: no prompt, an empty one, or less than one token to write.
    """
    if not prompts or not all(prompts) or n_tokens < 1:
        raise ValueError(
            f"there were {len(prompts)} prompts to go on with by {n_tokens} tokens; "
            "give at least one prompt, a token in each, and at least one token to write"
        )
    device = model.embedding.weight.device
    given = pad(prompts).to(device)  # [B, P]
    lengths = torch.tensor([len(prompt) for prompt in prompts], device=device)
    rows = given[:, : int(lengths.min())]  # [B, P]
    unread, cache = rows, model.new_cache()
    ended = torch.zeros(len(prompts), dtype=torch.bool, device=device)
    while rows.shape[1] < given.shape[1] + n_tokens and not ended.all():
        length = rows.shape[1]
        known = None if positions is None else positions[:length]
        unread = model(unread, cache=cache, positions=known)[:, -1:].argmax(-1)  # [B, 1]
        if length < given.shape[1]:
            unread = torch.where((lengths > length)[:, None], given[:, length : length + 1], unread)
        ended |= (unread[:, 0] == model.config.eos_id) & (lengths <= length)
        rows = torch.cat((rows, unread), dim=1)  # [B, P + 1]
    written = [row[len(prompt) :][:n_tokens] for row, prompt in zip(rows.tolist(), prompts, strict=True)]
    return [_until_end(row, model.config.eos_id) for row in written]


def _until_end(row: list[int], eos_id: int) -> list[int]:
    return row[: row.index(eos_id) + 1] if eos_id in row else row
