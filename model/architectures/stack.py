"""What the stacks of layers of every model share: positions, attention, feed-forward, norms and fresh weights."""

from functools import partial

from jaxtyping import Float, Int
from torch import Tensor, nn

from model.architectures.layers import FeedForward, PostNormResidual, PreNormResidual, ResidualFactory
from model.attention import MultiHeadAttention
from model.config import AnyConfig
from model.hooks import hook
from model.positional import PositionalEncoding, StackSpec, build

_RESIDUALS = {"post": PostNormResidual, "pre": PreNormResidual}


def add_positions(
    stack: str,
    embedded: Float[Tensor, "batch position d_model"],
    positional: PositionalEncoding,
    positions: Int[Tensor, " position"],
) -> Float[Tensor, "batch position d_model"]:
    """Return what the first layer of ``stack`` reads: embeddings, with their positions where the encoding adds them."""
    embedded = hook(f"{stack}.embedding", embedded)
    encoding = positional.additive_encoding(positions)
    if encoding is None:
        return hook(f"{stack}.input", embedded)
    encoding = hook(f"{stack}.positional.encoding", encoding.to(embedded.dtype))
    return hook(f"{stack}.input", embedded + encoding)


def residual_factory(config: AnyConfig) -> ResidualFactory:
    """Return what makes the residual path around a block, with its LayerNorm where ``config`` places it."""
    return partial(_RESIDUALS[config.norm], d_model=config.d_model, dropout=config.dropout)


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


def build_attention(config: AnyConfig, name: str) -> MultiHeadAttention:
    """Return the attention block ``name``."""
    return MultiHeadAttention(
        name=name,
        d_model=config.d_model,
        n_heads=config.n_heads,
        d_key=config.d_key,
        d_value=config.d_value,
    )


def build_feed_forward(config: AnyConfig, name: str) -> FeedForward:
    """Return the feed-forward block ``name``."""
    return FeedForward(name, d_model=config.d_model, d_ff=config.d_ff)


def build_final_norm(config: AnyConfig) -> nn.Module:
    """Return the norm at the top: pre-norm leaves the stream unnormalised there, post-norm has normalised it."""
    return nn.LayerNorm(config.d_model) if config.norm == "pre" else nn.Identity()


def draw_fresh_weights(model: nn.Module, embedding: nn.Embedding) -> None:
    """Draw Xavier weights for linear maps, and N(0, 1/d_model) for the embedding, so that √d_model times it is 1."""
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
    nn.init.normal_(embedding.weight, std=embedding.embedding_dim**-0.5)
