"""The compiled backend: an encoder–decoder whose weights are laid out for the kernels beside this file."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from jaxtyping import Float, Float32, Int
from torch import Tensor, nn

from model.architectures.encoder_decoder import EncoderDecoder
from model.architectures.layers import DecoderLayer, FeedForward, Residual, SelfAttentionLayer
from model.attention import MultiHeadAttention
from model.config import EncoderDecoderConfig
from model.decoding.compiled import kernels
from model.decoding.compiled.half_precision import as_single, stored
from model.decoding.decoder import NewDecoder
from model.hooks import hook
from model.positional import PositionalEncoding

Array = Float32[np.ndarray, "..."]


class NotPackableError(ValueError):
    """A model that the kernels cannot run; the message says why."""


class _Positions:
    """The vectors that an encoding adds to the embeddings, computed once up to the farthest position so far."""

    def __init__(self, positional: PositionalEncoding) -> None:
        self._positional, self._table = positional, np.zeros((0, 1), np.float32)

    def first(self, n: int) -> Array:
        """Return the vectors of the first ``n`` positions, [n, D]; zeros [n, 1] if the encoding adds none."""
        table = self._table  # threads share it, and each may replace it by a longer one
        if len(table) < n:
            with torch.inference_mode():
                encoding = self._positional.additive_encoding(self._positional.map_positions(torch.arange(n)))
            self._table = table = np.zeros((n, 1), np.float32) if encoding is None else _numpy(encoding)
        return table[:n]


class PackedModel:
    """A copy of the weights of a pre-norm encoder–decoder whose positions are added to the embeddings.

    Its attention patterns can be recorded under the names of the hook points; an intervention changes nothing.
    """

    records_steps = True

    def __init__(self, model: EncoderDecoder) -> None:
        """Copy the weights of ``model`` as they are now.

        Raises:
            NotPackableError: its norms stand after the blocks, its positional encoding acts within attention, or it
                lacks residual connections or the scale 1/√d_key.
        """
        config = model.config
        for positional in (model.encoder.positional, model.decoder.positional):
            if not set(positional.description.properties.acts_on) <= {"embeddings"}:
                raise NotPackableError(f"{config.positional.name} acts within attention; only PyTorch runs it")
        if config.norm != "pre":
            raise NotPackableError("its norms stand after the blocks; only PyTorch runs them")
        if config.residual != "add" or config.score_scale is not None:
            raise NotPackableError("it has no residual connections, or another scale; only PyTorch runs it")
        self.config: EncoderDecoderConfig = config
        self.encoder_positions = _Positions(model.encoder.positional)
        self.decoder_positions = _Positions(model.decoder.positional)
        encoder: list[SelfAttentionLayer] = list(model.encoder.layers)  # type: ignore[arg-type]  # a list of modules
        decoder: list[DecoderLayer] = list(model.decoder.layers)  # type: ignore[arg-type]
        finals: list[nn.LayerNorm] = [model.encoder.final_norm, model.decoder.final_norm]  # type: ignore[list-item]
        self.encoder = kernels.EncoderWeights(_self_attention(encoder), _feed_forward(encoder), _norm(finals[:1]))
        self.decoder = kernels.DecoderWeights(
            _self_attention(decoder),
            _attention(
                [layer.cross_attention for layer in decoder], [layer.cross_attention_residual for layer in decoder]
            ),
            _feed_forward(decoder),
            _norm(finals[1:]),
            stored(_numpy(model.embedding.weight).copy()),  # without the copy it may share memory with the model
        )

    def embed(self, tokens: Int[np.ndarray, "..."], positions: Array) -> Array:
        """Return the embeddings of all ``tokens`` with the vectors of their ``positions``, [N, D]."""
        scaled = as_single(self.decoder.embedding[tokens]) * np.float32(math.sqrt(self.config.d_model))
        embedded: Array = (scaled + positions).reshape(tokens.size, -1)  # [N, D]
        return embedded

    def encode(self, source: Int[Tensor, "1 source"]) -> NewDecoder:
        """Encode ``source``; return what starts decoders of it, which read no more tokens than they are made for."""
        config, n_source = self.config, source.shape[1]
        x = self.embed(source.numpy(), self.encoder_positions.first(n_source))  # [S, D]
        patterns = np.empty((config.n_encoder_layers, config.n_heads, n_source, n_source), np.float32)
        kernels.encode(x, self.encoder, patterns)
        encoded = self._empty(0, 0, n_source)
        kernels.project_memory(x, self.decoder, encoded)
        for layer, pattern in enumerate(torch.from_numpy(patterns)):
            hook(f"encoder.{layer}.self_attention.pattern", pattern[None])  # [1, H, S, S]
        return partial(self._new_decoder, encoded)

    def _new_decoder(self, encoded: kernels.KeysAndValues, max_length: int) -> "CompiledDecoder":
        empty = self._empty(1, max_length, 0)
        cached = empty._replace(source_keys=encoded.source_keys, source_values=encoded.source_values)
        return CompiledDecoder(self, cached)

    def _empty(self, n_rows: int, n_tokens: int, n_source: int) -> kernels.KeysAndValues:
        """Return arrays for the keys and values of ``n_rows`` targets of up to ``n_tokens``, and of their source."""
        config = self.config
        widths = config.n_heads * config.d_key, config.n_heads * config.d_value
        return kernels.KeysAndValues(
            *(np.empty((config.n_decoder_layers, n_rows, n_tokens, width), np.float32) for width in widths),
            *(np.empty((config.n_decoder_layers, n_source, width), np.float32) for width in widths),
        )


class CompiledDecoder:
    """Decodes one source with a :class:`PackedModel`; at first one target."""

    def __init__(self, model: PackedModel, cached: kernels.KeysAndValues) -> None:
        """Start a target whose tokens, BOS included, ``cached`` has room for; it holds those of the source already."""
        self._model, self._cached, self._length = model, cached, 0
        self._positions = model.decoder_positions.first(cached.keys.shape[2])  # [P, D]

    def step(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        """Return the logits after each of ``tokens``."""
        model, cached, (n_rows, n_new) = self._model, self._cached, tokens.shape
        start, end = self._length, self._length + n_new
        shape = len(cached.keys), n_rows, model.config.n_heads, n_new
        outputs = kernels.StepOutputs(
            np.zeros((*shape, end), np.float32),
            np.empty((*shape, cached.source_keys.shape[1]), np.float32),
            np.empty((n_rows * n_new, len(model.decoder.embedding)), np.float32),
        )
        kernels.decode(model.embed(tokens.numpy(), self._positions[start:end]), start, model.decoder, cached, outputs)
        for layer in range(len(cached.keys)):
            hook(f"decoder.{layer}.self_attention.pattern", torch.from_numpy(outputs.self_pattern[layer]))
            hook(f"decoder.{layer}.cross_attention.pattern", torch.from_numpy(outputs.cross_pattern[layer]))
        self._length = end
        return torch.from_numpy(outputs.logits.reshape(n_rows, n_new, -1))  # [R, new, V]

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        """Keep, repeat or reorder the targets."""
        # Unlike keys[:, rows] this keeps the memory layout, so that the same machine code reads it.
        keys, values = (np.take(each, rows.numpy(), axis=1) for each in (self._cached.keys, self._cached.values))
        self._cached = self._cached._replace(keys=keys, values=values)  # [L, R, P, H·E]


def _self_attention(layers: Sequence[SelfAttentionLayer | DecoderLayer]) -> kernels.AttentionWeights:
    return _attention([layer.self_attention for layer in layers], [layer.self_attention_residual for layer in layers])


def _attention(blocks: Sequence[MultiHeadAttention], residuals: Sequence[Residual]) -> kernels.AttentionWeights:
    return kernels.AttentionWeights(
        _norm([residual.norm for residual in residuals]),
        *(stored(_stacked([getattr(block, name).weight for block in blocks])) for name in ("W_Q", "W_K", "W_V", "W_O")),
    )


def _feed_forward(layers: Sequence[SelfAttentionLayer | DecoderLayer]) -> kernels.FeedForwardWeights:
    blocks: list[FeedForward] = [layer.feed_forward for layer in layers]
    return kernels.FeedForwardWeights(
        _norm([layer.feed_forward_residual.norm for layer in layers]),
        stored(_stacked([block.W_1.weight for block in blocks])),
        _stacked([block.W_1.bias for block in blocks]),
        stored(_stacked([block.W_2.weight for block in blocks])),
        _stacked([block.W_2.bias for block in blocks]),
    )


def _norm(norms: Sequence[nn.LayerNorm]) -> kernels.NormWeights:
    weight, bias = _stacked([norm.weight for norm in norms]), _stacked([norm.bias for norm in norms])
    return kernels.NormWeights(weight, bias, np.float32(norms[0].eps))


def _stacked(tensors: Sequence[Tensor]) -> Array:
    return np.stack([_numpy(tensor) for tensor in tensors])


def _numpy(tensor: Tensor) -> Array:
    return tensor.detach().cpu().float().numpy()
