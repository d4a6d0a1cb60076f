"""Plain records of a translation's activations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float32

from viz.base.attention_maps import AttentionKind

TEMPERATURES = tuple(number / 10 for number in range(1, 21))
"""What logits may be divided by before the softmax."""

Stack = Literal["encoder", "decoder"]
Vectors = Float32[np.ndarray, "position d_model"]


@dataclass(frozen=True)
class ModelSizes:
    """Sizes of a model, by the names of its configuration."""

    d_model: int
    d_ff: int
    n_heads: int
    n_encoder_layers: int
    n_decoder_layers: int
    vocabulary_size: int


@dataclass(frozen=True)
class StackInput:
    """Input of one stack: tokens, their embeddings times √d_model, and their positional encodings."""

    labels: tuple[str, ...]
    embedding: Vectors
    positions: Vectors


@dataclass(frozen=True)
class TranslationToken:
    """One token of the translation, and the most probable ones at its step, as labels with probabilities."""

    label: str
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
        tokens: their ids.
        resting_step: the step of the content word whose source is clearest, which the picture comes to rest on.
        sizes: of the model.
    """

    source: StackInput
    read: StackInput
    feed_forward: Mapping[str, Float32[np.ndarray, "layer position d_model"]]
    memory: Vectors
    kinds: tuple[AttentionKind, ...]
    written: tuple[TranslationToken, ...]
    tokens: tuple[int, ...]
    resting_step: int
    sizes: ModelSizes


@dataclass(frozen=True)
class AttentionRecord:
    """Results of one attention block; ``added`` is the norm of each head's contribution through W_O."""

    q: Float32[np.ndarray, "head query d_key"]
    k: Float32[np.ndarray, "head key d_key"]
    v: Float32[np.ndarray, "head key d_value"]
    output: Float32[np.ndarray, "query d_model"]
    added: Float32[np.ndarray, "head query"]


@dataclass(frozen=True)
class FeedForwardStack:
    """The hidden units of a stack's feed-forward blocks, after the ReLU.

    ``raised`` has, layer by layer, the tokens that each of the strongest units raises most; only in the decoder.
    """

    hidden: Float32[np.ndarray, "layer position d_ff"]
    raised: tuple[Mapping[int, tuple[str, ...]], ...]


@dataclass(frozen=True)
class ResidualStream:
    """Additions to a stack's residual stream: the input, then each of ``blocks``, a layer and a name.

    ``lengths`` are those of the vectors that are added. ``words`` has the token that the stream would write at each of
    these points, with its probability (the logit lens); only in the decoder.
    """

    blocks: tuple[tuple[int, str], ...]
    lengths: Float32[np.ndarray, "point position"]
    words: tuple[tuple[tuple[str, float], ...], ...]


@dataclass(frozen=True)
class Candidates:
    """The most probable next tokens at each step: labels, ids, and log probabilities at temperature 1.

    ``totals`` has, for each temperature, the logarithm of the sum over the whole vocabulary of p^(1/temperature).
    """

    labels: tuple[tuple[str, ...], ...]
    tokens: tuple[tuple[int, ...], ...]
    logs: Float32[np.ndarray, "position candidate"]
    totals: Float32[np.ndarray, "position temperature"]


@dataclass(frozen=True)
class ParameterCounts:
    """Parameter counts of a model: all, the embedding, and each block by stack and layer, from 0."""

    total: int
    embedding: int
    layers: Mapping[tuple[Stack, int], Mapping[str, int]]


@dataclass(frozen=True)
class Inside:
    """Activations of a model during one translation.

    ``attention`` is by kind and layer, counted from 1: ``cross.2``.
    """

    attention: Mapping[str, AttentionRecord]
    feed_forward: Mapping[str, FeedForwardStack]
    residual: Mapping[str, ResidualStream]
    candidates: Candidates
    weights: ParameterCounts
