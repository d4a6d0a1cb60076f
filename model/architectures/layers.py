"""The layers of encoders and decoders (Vaswani et al. 2017, §3.1 and §3.3)."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from jaxtyping import Bool, Float
from torch import Tensor, nn

from model.architectures.dropout import Dropout
from model.architectures.norm import LayerNorm
from model.attention import AttentionPositions, KeyValueCache, LayerMemory, MultiHeadAttention
from model.hooks import hook

Block = Callable[[Tensor], Tensor]
Join = Callable[[Tensor, Tensor], Tensor]
"""Returns the residual stream after a block, given the stream before it and the block's output, all [B, P, D]."""
ResidualFactory = Callable[[str], "Residual"]


def add(x: Tensor, output: Tensor) -> Tensor:
    """Return the sum, as published (§3.1)."""
    return x + output


def replace(_: Tensor, output: Tensor) -> Tensor:
    """Return the block's output alone: no residual connection."""
    return output


class Residual(nn.Module, ABC):
    """The residual path around the block ``name``; subclasses place the LayerNorm."""

    def __init__(self, name: str, *, d_model: int, dropout: float, join: Join = add) -> None:
        """Build the norm and the dropout of the block's output, which ``join`` joins with the residual stream."""
        super().__init__()
        self.name = name
        self.join = join
        self.norm = LayerNorm(name, d_model)
        self.dropout = Dropout(dropout)

    def forward(
        self, x: Float[Tensor, "batch position d_model"], block: Block
    ) -> Float[Tensor, "batch position d_model"]:
        """Return the residual stream after ``block``."""
        x = hook(f"{self.name}.residual_before", x)
        return hook(f"{self.name}.residual_after", self.combine(x, block))

    @abstractmethod
    def read(self, x: Float[Tensor, "batch position d_model"]) -> Float[Tensor, "batch position d_model"]:
        """Return the input of the block, given the residual stream ``x``."""

    @abstractmethod
    def combine(self, x: Tensor, block: Block) -> Tensor:
        """Return the residual stream after ``block``, given that before it, both [B, P, D]."""


class PostNormResidual(Residual):
    """LayerNorm(x + block(x)), as published (§3.1)."""

    def read(self, x: Tensor) -> Tensor:
        """Return ``x`` as it is."""
        return x

    def combine(self, x: Tensor, block: Block) -> Tensor:
        """Normalise the sum."""
        normed: Tensor = self.norm(self.join(x, self.dropout(block(self.read(x)))))
        return normed


class PreNormResidual(Residual):
    """x + block(LayerNorm(x)), stable without warm-up (Xiong et al. 2020, arXiv:2002.04745)."""

    def read(self, x: Tensor) -> Tensor:
        """Return the norm of ``x``."""
        normed: Tensor = self.norm(x)
        return normed

    def combine(self, x: Tensor, block: Block) -> Tensor:
        """Normalise the input of the block."""
        return self.join(x, self.dropout(block(self.read(x))))


class FeedForward(nn.Module):
    """max(0, x W_1 + b_1) W_2 + b_2, the same at every position (equation 2)."""

    def __init__(self, name: str, *, d_model: int, d_ff: int) -> None:
        """Build the two linear maps."""
        super().__init__()
        self.name = name
        self.W_1 = nn.Linear(d_model, d_ff)
        self.W_2 = nn.Linear(d_ff, d_model)

    def forward(self, x: Float[Tensor, "batch position d_model"]) -> Float[Tensor, "batch position d_model"]:
        """Return the block's output."""
        hidden = hook(f"{self.name}.hidden", self.W_1(x).relu())  # [B, P, F]
        return hook(f"{self.name}.output", self.W_2(hidden))


class AttentionLayer(nn.Module):
    """Self-attention on its residual path: the layer of attention-only models (Elhage et al. 2021)."""

    def __init__(self, *, self_attention: MultiHeadAttention, residual: ResidualFactory) -> None:
        """Join the parts; ``residual`` makes the residual path of a block from the block's name."""
        super().__init__()
        self.self_attention = self_attention
        self.self_attention_residual = residual(self_attention.name)

    def forward(
        self,
        x: Float[Tensor, "batch position d_model"],
        *,
        mask: Bool[Tensor, "#batch 1 #position key"] | None,
        positions: AttentionPositions,
        cache: KeyValueCache | None = None,
        memory: LayerMemory | None = None,
    ) -> Float[Tensor, "batch position d_model"]:
        """Return the residual stream after the layer.

        ``cache`` holds the keys and values of earlier positions; ``memory`` the layer's inputs of earlier segments.
        """

        def attend(y: Tensor) -> Tensor:
            context = y if memory is None else memory.extend(y, self.self_attention.name)
            out: Tensor = self.self_attention(y, context, mask=mask, cache=cache, positions=positions)
            return out

        attended: Tensor = self.self_attention_residual(x, attend)
        return attended

    def remember(self, x: Float[Tensor, "batch position d_model"], memory: LayerMemory) -> None:
        """Extend ``memory`` by ``x``, without computing the layer."""
        memory.extend(self.self_attention_residual.read(x), self.self_attention.name)


class SelfAttentionLayer(AttentionLayer):
    """Self-attention, then feed-forward, each on its residual path.

    It is the layer of an encoder and, under a causal mask, of a decoder without an encoder.
    """

    def __init__(
        self,
        *,
        self_attention: MultiHeadAttention,
        feed_forward: FeedForward,
        residual: ResidualFactory,
    ) -> None:
        """Join the parts; ``residual`` makes the residual path of a block from the block's name."""
        super().__init__(self_attention=self_attention, residual=residual)
        self.feed_forward = feed_forward
        self.feed_forward_residual = residual(feed_forward.name)

    def forward(
        self,
        x: Float[Tensor, "batch position d_model"],
        *,
        mask: Bool[Tensor, "#batch 1 #position key"] | None,
        positions: AttentionPositions,
        cache: KeyValueCache | None = None,
        memory: LayerMemory | None = None,
    ) -> Float[Tensor, "batch position d_model"]:
        """Return the residual stream after the layer; the arguments are those of :class:`AttentionLayer`."""
        x = super().forward(x, mask=mask, positions=positions, cache=cache, memory=memory)
        out: Tensor = self.feed_forward_residual(x, self.feed_forward)
        return out


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the encoder's output, then feed-forward."""

    def __init__(
        self,
        *,
        self_attention: MultiHeadAttention,
        cross_attention: MultiHeadAttention,
        feed_forward: FeedForward,
        residual: ResidualFactory,
    ) -> None:
        """Join the parts; ``residual`` makes the residual path of a block from the block's name."""
        super().__init__()
        self.self_attention = self_attention
        self.self_attention_residual = residual(self_attention.name)
        self.cross_attention = cross_attention
        self.cross_attention_residual = residual(cross_attention.name)
        self.feed_forward = feed_forward
        self.feed_forward_residual = residual(feed_forward.name)

    def forward(
        self,
        x: Float[Tensor, "batch target d_model"],
        memory: Float[Tensor, "batch source d_model"],
        *,
        mask: Bool[Tensor, "1 1 target key"],
        memory_mask: Bool[Tensor, "batch 1 1 source"] | None,
        positions: AttentionPositions,
        self_cache: KeyValueCache | None = None,
        cross_cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Return the residual stream after the layer; a filled ``cross_cache`` takes the place of ``memory``."""
        context = None if cross_cache is not None and cross_cache.k is not None else memory

        def attend(y: Tensor) -> Tensor:
            out: Tensor = self.self_attention(y, y, mask=mask, cache=self_cache, positions=positions)
            return out

        def cross(y: Tensor) -> Tensor:
            out: Tensor = self.cross_attention(y, context, mask=memory_mask, cache=cross_cache)
            return out

        x = self.self_attention_residual(x, attend)
        x = self.cross_attention_residual(x, cross)
        out: Tensor = self.feed_forward_residual(x, self.feed_forward)
        return out
