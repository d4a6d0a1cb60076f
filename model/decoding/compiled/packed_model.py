"""An encoder–decoder laid out for writing one text on a CPU by the compiled kernels beside this file."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float32, Int
from torch import Tensor, nn

from model.architectures.encoder_decoder import EncoderDecoder
from model.architectures.layers import DecoderLayer, EncoderLayer, FeedForward, Residual
from model.attention import MultiHeadAttention
from model.decoding.compiled import kernels
from model.decoding.compiled.half_precision import as_single, stored
from model.positional import PositionalEncoding

Array = Float32[np.ndarray, "..."]
Hear = Callable[[str, Array], None]


def _hear_nothing(name: str, pattern: Array) -> None:
    del name, pattern


class NotPackableError(ValueError):
    """A model that cannot be laid out so; the message says why."""


class _Positions:
    """What an encoding adds to the embeddings, computed once up to the farthest position that was asked for."""

    def __init__(self, positional: PositionalEncoding) -> None:
        self._positional, self._table = positional, np.zeros((0, 1), np.float32)

    def first(self, n: int) -> Array:
        """Return what is added at the first ``n`` positions, [n, D], or [n, 1] if that is nothing."""
        table = self._table  # threads share it, and each may put a longer one in its place
        if len(table) < n:
            with torch.inference_mode():
                encoding = self._positional.additive_encoding(self._positional.map_positions(torch.arange(n)))
            self._table = table = np.zeros((n, 1), np.float32) if encoding is None else _numpy(encoding)
        return table[:n]


@dataclass(frozen=True)
class Reading:
    """A source as it was read: what the decoder attends to, and the encoder's patterns [H, S, S] by name."""

    n_tokens: int
    context: kernels.Context  # without targets
    patterns: Mapping[str, Array]


class PackedModel:
    """The weights of a pre-norm encoder–decoder whose positions are added to the embeddings; never changed."""

    def __init__(self, model: EncoderDecoder) -> None:
        """Lay out the weights of ``model`` as they are now.

        Raises:
            NotPackableError: its norms stand after the blocks, or its positions enter elsewhere.
        """
        config = model.config
        for positional in (model.encoder.positional, model.decoder.positional):
            if not set(positional.description.properties.acts_on) <= {"embeddings"}:
                raise NotPackableError(f"{config.positional.name} acts within attention; only PyTorch runs it")
        if config.norm != "pre":
            raise NotPackableError("its norms stand after the blocks; only those before are compiled")
        self.config = config
        self.encoder_positions = _Positions(model.encoder.positional)
        self.decoder_positions = _Positions(model.decoder.positional)
        encoder: list[EncoderLayer] = list(model.encoder.layers)  # type: ignore[arg-type]  # a list of modules
        decoder: list[DecoderLayer] = list(model.decoder.layers)  # type: ignore[arg-type]
        finals: list[nn.LayerNorm] = [model.encoder.final_norm, model.decoder.final_norm]  # type: ignore[list-item]
        self.encoder = kernels.Encoder(_self_attention(encoder), _feed_forward(encoder), _norm(finals[:1]))
        self.decoder = kernels.Decoder(
            _self_attention(decoder),
            _attention(
                [layer.cross_attention for layer in decoder], [layer.cross_attention_residual for layer in decoder]
            ),
            _feed_forward(decoder),
            _norm(finals[1:]),
            stored(_numpy(model.embedding.weight).copy()),  # or it would be that of the model itself
        )

    def embed(self, tokens: Int[np.ndarray, "..."], positions: Array) -> Array:
        """Return the embeddings of ``tokens``, which stand at ``positions``, in one row: [N, D]."""
        scaled = as_single(self.decoder.embedding[tokens]) * np.float32(math.sqrt(self.config.d_model))
        embedded: Array = (scaled + positions).reshape(tokens.size, -1)  # [N, D]
        return embedded

    def context(self, n_rows: int, n_tokens: int, n_source: int) -> kernels.Context:
        """Return room for the keys and values of ``n_rows`` targets of up to ``n_tokens`` and of their source."""
        config = self.config
        widths = config.n_heads * config.d_key, config.n_heads * config.d_value
        return kernels.Context(
            *(np.empty((config.n_decoder_layers, n_rows, n_tokens, width), np.float32) for width in widths),
            *(np.empty((config.n_decoder_layers, n_source, width), np.float32) for width in widths),
        )

    def read(self, source: Sequence[int]) -> Reading:
        """Return ``source``, tokens that end in EOS, as the encoder reads it."""
        config, n_source = self.config, len(source)
        x = self.embed(np.array(source), self.encoder_positions.first(n_source))  # [S, D]
        patterns = np.empty((config.n_encoder_layers, config.n_heads, n_source, n_source), np.float32)
        kernels.read(x, self.encoder, patterns)
        context = self.context(0, 0, n_source)
        kernels.read_memory(x, self.decoder, context)
        named = {f"encoder.{layer}.self_attention.pattern": pattern for layer, pattern in enumerate(patterns)}
        return Reading(n_source, context, named)


class Writing:
    """Targets of one source being written, side by side: the keys and values of their tokens so far."""

    def __init__(
        self, model: PackedModel, reading: Reading, n_rows: int, longest: int, hear: Hear = _hear_nothing
    ) -> None:
        """Begin ``n_rows`` targets that read at most ``longest`` tokens, BOS among them.

        ``hear`` is called with the name and the pattern [R, H, new, K] of every attention, whenever tokens are added.
        """
        self._model, self._hear, self.length = model, hear, 0
        self._positions = model.decoder_positions.first(longest)  # [P, D]
        source = reading.context
        self._context = model.context(n_rows, longest, 0)._replace(
            source_keys=source.source_keys, source_values=source.source_values
        )

    def add(self, tokens: Int[np.ndarray, "row new"]) -> Float32[np.ndarray, "row new vocabulary"]:
        """Read ``tokens``, which follow those so far; return the logits after each."""
        model, context, (n_rows, n_new) = self._model, self._context, tokens.shape
        start, end = self.length, self.length + n_new
        shape = len(context.keys), n_rows, model.config.n_heads, n_new
        outputs = kernels.Outputs(
            np.zeros((*shape, end), np.float32),
            np.empty((*shape, context.source_keys.shape[1]), np.float32),
            np.empty((n_rows * n_new, len(model.decoder.embedding)), np.float32),
        )
        kernels.write(model.embed(tokens, self._positions[start:end]), start, model.decoder, context, outputs)
        for layer in range(len(context.keys)):
            self._hear(f"decoder.{layer}.self_attention.pattern", outputs.self_pattern[layer])  # [R, H, new, K]
            self._hear(f"decoder.{layer}.cross_attention.pattern", outputs.cross_pattern[layer])  # [R, H, new, S]
        self.length = end
        return outputs.logits.reshape(n_rows, n_new, -1)  # [R, new, V]

    def select(self, rows: Int[np.ndarray, " new_row"]) -> None:
        """Keep, repeat or reorder the targets."""
        # Unlike keys[:, rows] this is laid out as before, so that the same machine code reads it.
        keys, values = (np.take(each, rows, axis=1) for each in (self._context.keys, self._context.values))
        self._context = self._context._replace(keys=keys, values=values)  # [L, R, P, H·E]


def _self_attention(layers: Sequence[EncoderLayer | DecoderLayer]) -> kernels.Attention:
    return _attention([layer.self_attention for layer in layers], [layer.self_attention_residual for layer in layers])


def _attention(blocks: Sequence[MultiHeadAttention], residuals: Sequence[Residual]) -> kernels.Attention:
    return kernels.Attention(
        _norm([residual.norm for residual in residuals]),
        *(stored(_stacked([getattr(block, name).weight for block in blocks])) for name in ("W_Q", "W_K", "W_V", "W_O")),
    )


def _feed_forward(layers: Sequence[EncoderLayer | DecoderLayer]) -> kernels.FeedForward:
    blocks: list[FeedForward] = [layer.feed_forward for layer in layers]
    return kernels.FeedForward(
        _norm([layer.feed_forward_residual.norm for layer in layers]),
        stored(_stacked([block.W_1.weight for block in blocks])),
        _stacked([block.W_1.bias for block in blocks]),
        stored(_stacked([block.W_2.weight for block in blocks])),
        _stacked([block.W_2.bias for block in blocks]),
    )


def _norm(norms: Sequence[nn.LayerNorm]) -> kernels.Norm:
    gain, shift = _stacked([norm.weight for norm in norms]), _stacked([norm.bias for norm in norms])
    return kernels.Norm(gain, shift, np.float32(norms[0].eps))


def _stacked(tensors: Sequence[Tensor]) -> Array:
    return np.stack([_numpy(tensor) for tensor in tensors])


def _numpy(tensor: Tensor) -> Array:
    return tensor.detach().cpu().float().numpy()
