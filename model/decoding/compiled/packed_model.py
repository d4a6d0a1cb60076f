"""The compiled backend: an encoder–decoder with its weights laid out for the kernels."""

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
    """The vectors that an encoding adds to embeddings, cached up to the farthest position so far."""

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

    def encode(self, source: Int[Tensor, "row source"]) -> NewDecoder:
        """Encode the sources; return a function that starts their decoders.

        Decoders read no more tokens than they are made for. Each source is encoded alone, without its padding; their
        patterns pass the hook points one after another.
        """
        lengths = (source != self.config.pad_id).sum(1).tolist()
        memory = [self._encode_one(row[:length]) for row, length in zip(source.numpy(), lengths, strict=True)]
        ends = np.cumsum(lengths)
        source_keys, source_values = self.empty_keys_and_values(int(ends[-1]))
        encoded = kernels.KeysAndValues(
            *self.empty_keys_and_values(0),
            np.empty((len(lengths), 0), np.int64),
            source_keys,
            source_values,
            np.stack([ends - lengths, ends], axis=1),
        )
        kernels.project_memory(np.concatenate(memory), self.decoder, encoded)
        return partial(CompiledDecoder, self, encoded)

    def empty_keys_and_values(self, n_tokens: int) -> tuple[Array, Array]:
        """Return empty arrays for keys and values of ``n_tokens`` in every decoder layer, [L, T, H·E]."""
        config = self.config
        keys, values = (
            np.empty((config.n_decoder_layers, n_tokens, config.n_heads * width), np.float32)
            for width in (config.d_key, config.d_value)
        )
        return keys, values

    def _encode_one(self, source: Int[np.ndarray, " source"]) -> Float32[np.ndarray, "source d_model"]:
        config, n = self.config, len(source)
        x = self.embed(source, self.encoder_positions.first(n))  # [S, D]
        patterns = np.empty((config.n_encoder_layers, config.n_heads, n, n), np.float32)
        kernels.encode(x, self.encoder, patterns)
        for layer, pattern in enumerate(torch.from_numpy(patterns)):
            hook(f"encoder.{layer}.self_attention.pattern", pattern[None])  # [1, H, S, S]
        return x


class CompiledDecoder:
    """A decoder on a :class:`PackedModel`; at first one target for each source."""

    def __init__(self, model: PackedModel, encoded: kernels.KeysAndValues, max_length: int) -> None:
        """Start targets of up to ``max_length`` tokens, BOS included, for the sources in ``encoded``."""
        self._model, self._length = model, 0
        self._positions = model.decoder_positions.first(max_length)  # [P, D]
        self._longest_source = int(np.diff(encoded.source_ranges).max())
        self._cached = encoded._replace(places=np.empty((len(encoded.places), max_length), np.int64))
        self._make_room()

    def step(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        """Return the logits after each of ``tokens``."""
        model, cached, (n_rows, n_new) = self._model, self._cached, tokens.shape
        start, end = self._length, self._length + n_new
        rows, new = np.arange(n_rows)[:, None], np.arange(start, end)
        cached.places[:, start:end] = rows * cached.places.shape[1] + new
        shape = len(cached.keys), n_rows, model.config.n_heads, n_new
        outputs = kernels.StepOutputs(
            np.zeros((*shape, end), np.float32),
            np.zeros((*shape, self._longest_source), np.float32),
            np.empty((n_rows * n_new, len(model.decoder.embedding)), np.float32),
        )
        kernels.decode(model.embed(tokens.numpy(), self._positions[start:end]), start, model.decoder, cached, outputs)
        for layer in range(len(cached.keys)):
            hook(f"decoder.{layer}.self_attention.pattern", torch.from_numpy(outputs.self_pattern[layer]))
            hook(f"decoder.{layer}.cross_attention.pattern", torch.from_numpy(outputs.cross_pattern[layer]))
        self._length = end
        return torch.from_numpy(outputs.logits.reshape(n_rows, n_new, -1))  # [R, new, V]

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        """Keep, repeat or reorder the targets, each with its source."""
        places, ranges = (each[rows.numpy()] for each in (self._cached.places, self._cached.source_ranges))
        self._cached = self._cached._replace(places=places, source_ranges=ranges)
        self._make_room()

    def _make_room(self) -> None:
        """Give every target room for keys and values of its own; those that are there stay where they are."""
        cached = self._cached
        if cached.places.size <= cached.keys.shape[1]:
            return
        keys, values = self._model.empty_keys_and_values(cached.places.size)
        held = np.unique(cached.places[:, : self._length])
        keys[:, held], values[:, held] = cached.keys[:, held], cached.values[:, held]
        self._cached = cached._replace(keys=keys, values=values)


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
