"""What a translation is on its way through the model, as plain records."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from viz.base.attention_maps import AttentionKind

Vectors = Float32[np.ndarray, "position d_model"]


@dataclass(frozen=True)
class Sizes:
    """How large a model is, by the names of its configuration."""

    d_model: int
    d_ff: int
    n_heads: int
    n_encoder_layers: int
    n_decoder_layers: int
    vocabulary_size: int


@dataclass(frozen=True)
class StackInput:
    """What one stack reads: its tokens, their embeddings times √d_model, and the encodings of their positions."""

    labels: tuple[str, ...]
    embedding: Vectors
    positions: Vectors


@dataclass(frozen=True)
class WrittenToken:
    """One token of the translation, and the most probable ones at its step, as labels with probabilities."""

    label: str
    starts_word: bool
    probability: float
    alternatives: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Passage:
    """A translation on its way through the model.

    Attributes:
        source: what the encoder reads.
        read: what the decoder reads: the translation after BOS.
        feed_forward: what the feed-forward blocks add to the residual stream, layer after layer, by stack.
        memory: what the encoder returns, which the cross-attention of every decoder layer reads.
        kinds: the weights of every head of every layer: encoder, decoder and cross-attention.
        written: the translation.
        sizes: of the model.
    """

    source: StackInput
    read: StackInput
    feed_forward: Mapping[str, Float32[np.ndarray, "layer position d_model"]]
    memory: Vectors
    kinds: tuple[AttentionKind, ...]
    written: tuple[WrittenToken, ...]
    sizes: Sizes
