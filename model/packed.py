"""An encoder–decoder laid out for writing one text on a CPU, in NumPy.

For one token of a small model, calls into PyTorch take longer than what they compute. Here there are fewer and
cheaper ones, by three rearrangements that change no number beyond rounding:

- the gain and shift of a LayerNorm are part of the linear map that reads it;
- whatever is added to the residual stream has mean zero from the start, so that a LayerNorm needs no mean;
- the query and output projections of cross-attention are multiplied into the keys and values of the source, once.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float32, Int
from torch import Tensor, nn

from model.attention import MultiHeadAttention
from model.half_precision import as_stored
from model.layers import DecoderLayer, EncoderLayer
from model.positional import PositionalEncoding
from model.transformer import EncoderDecoder

Array = Float32[np.ndarray, "..."]
Hear = Callable[[str, Array], None]


def _hear_nothing(name: str, pattern: Array) -> None:
    del name, pattern


class NotPackableError(ValueError):
    """A model that cannot be laid out so; the message says why."""


@dataclass(frozen=True)
class _NormedLinear:
    """A linear map of the centred residual stream x, with the LayerNorm before it: x W / √(x·x + ε) + b.

    ``weight`` is W [D, out], √D times as large as that of the map alone; ``epsilon`` is ε, D times that of the norm.
    """

    weight: Array
    bias: Array
    epsilon: np.float32

    def __call__(self, x: Array) -> Array:
        """Return the map [N, out] of ``x`` [N, D]."""
        out: Array = x @ self.weight
        out /= np.sqrt(np.vecdot(x, x) + self.epsilon)[:, None]
        out += self.bias
        return out


@dataclass(frozen=True)
class _Norm:
    gain: Array  # [D]
    shift: Array  # [D]
    epsilon: float

    def __call__(self, x: Array) -> Array:
        """Return the LayerNorm [N, D] of the centred residual stream ``x`` [N, D]."""
        normed: Array = x / np.sqrt(np.vecdot(x, x) / x.shape[1] + self.epsilon)[:, None]
        normed *= self.gain
        normed += self.shift
        return normed


@dataclass(frozen=True)
class _FeedForward:
    inner: _NormedLinear
    outer: Array  # [d_ff, D]
    bias: Array  # [D]

    def add_to(self, x: Array) -> None:
        """Add the block's output to ``x`` [N, D]."""
        hidden = self.inner(x)  # [N, F]
        np.maximum(hidden, 0, out=hidden)
        x += hidden @ self.outer
        x += self.bias


@dataclass(frozen=True)
class _SelfAttention:
    qkv: _NormedLinear
    output: Array  # [H·E, D]
    n_heads: int

    def read(self, x: Array, n_rows: int) -> tuple[Array, Array, Array]:
        """Return the queries, keys and values [R, H, N / R, E] of ``x`` [N, D]."""
        n_values = len(self.output)
        n_keys = (len(self.qkv.bias) - n_values) // 2
        qkv = self.qkv(x).reshape(n_rows, len(x) // n_rows, -1)  # [R, N / R, 3·H·E]
        parts = (qkv[:, :, :n_keys], qkv[:, :, n_keys : 2 * n_keys], qkv[:, :, 2 * n_keys :])
        q, k, v = (part.reshape(*part.shape[:2], self.n_heads, -1).transpose(0, 2, 1, 3) for part in parts)
        return q, k, v  # [R, H, N / R, E]

    def add_to(self, x: Array, z: Array) -> None:
        """Add to ``x`` [N, D] what its heads' results ``z`` [R, H, N / R, E] give."""
        x += z.transpose(0, 2, 1, 3).reshape(len(x), -1) @ self.output


@dataclass(frozen=True)
class _CrossAttention:
    query: _NormedLinear
    keys: Array  # [D, H·E]
    values: Array  # [D, H·E]
    output: Array  # [H, E, D]

    def of(self, memory: Array) -> "_SourceAttention":
        """Return the attention to a source whose encoder output is ``memory`` [S, D]."""
        n_source, d_model = memory.shape
        n_heads = len(self.output)
        k = (memory @ self.keys).reshape(n_source, n_heads, -1).transpose(1, 0, 2)  # [H, S, E]
        v = (memory @ self.values).reshape(n_source, n_heads, -1).transpose(1, 0, 2)  # [H, S, E]
        query = self.query.weight.reshape(d_model, n_heads, -1).transpose(1, 2, 0)  # [H, E, D]
        bias = k @ self.query.bias.reshape(n_heads, -1, 1)  # [H, S, 1]
        scores = _NormedLinear((k @ query).reshape(-1, d_model).T, bias.ravel(), self.query.epsilon)  # [D, H·S]
        return _SourceAttention(scores, (v @ self.output).reshape(-1, d_model), n_heads)  # [H·S, D]


@dataclass(frozen=True)
class _SourceAttention:
    scores: _NormedLinear  # [D, H·S]
    values: Array  # [H·S, D]
    n_heads: int

    def add_to(self, x: Array) -> Array:
        """Add the block's output to ``x`` [N, D]; return the pattern [N, H, S]."""
        pattern = self.scores(x).reshape(len(x), self.n_heads, -1)  # [N, H, S]
        _softmax(pattern)
        x += pattern.reshape(len(x), -1) @ self.values
        return pattern


class _Positions:
    """What an encoding adds to the embeddings, computed once up to the farthest position that was asked for."""

    def __init__(self, positional: PositionalEncoding) -> None:
        self._positional, self._table = positional, np.zeros((0, 1), np.float32)

    def first(self, n: int) -> Array:
        """Return what is added at the first ``n`` positions, [n, D], or [n, 1] if that is nothing."""
        table = self._table  # threads share it, and each may put a longer one in its place
        if len(table) < n:
            with torch.inference_mode():
                encoding = self._positional.encoding(self._positional.place(torch.arange(n)))
            self._table = table = np.zeros((n, 1), np.float32) if encoding is None else _centred(_numpy(encoding))
        return table[:n]


@dataclass(frozen=True)
class _Layer:
    self_attention: _SelfAttention
    feed_forward: _FeedForward


@dataclass(frozen=True)
class Reading:
    """A source as it was read: what each decoder layer attends to, and the encoder's patterns [H, S, S] by name."""

    n_tokens: int
    layers: tuple[_SourceAttention, ...]
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
            raise NotPackableError("its norms stand after the blocks; only those before can be part of a linear map")
        self.config = config
        embedding = _numpy(model.embedding.weight)
        self.embedding = _centred(embedding * np.float32(math.sqrt(config.d_model)))  # [V, D]
        self.encoder_positions = _Positions(model.encoder.positional)
        self.decoder_positions = _Positions(model.decoder.positional)
        encoder_layers: list[EncoderLayer] = list(model.encoder.layers)  # type: ignore[arg-type]  # a list of modules
        decoder_layers: list[DecoderLayer] = list(model.decoder.layers)  # type: ignore[arg-type]
        norms: list[nn.LayerNorm] = [model.encoder.final_norm, model.decoder.final_norm]  # type: ignore[list-item]
        self.encoder = [_pack_layer(layer) for layer in encoder_layers]
        self.decoder = [_pack_layer(layer) for layer in decoder_layers]
        self.cross_attention = [
            _pack_cross_attention(layer.cross_attention, layer.cross_attention_residual.norm)
            for layer in decoder_layers
        ]
        self.encoder_norm, self.decoder_norm = (
            _Norm(_numpy(norm.weight), _numpy(norm.bias), norm.eps) for norm in norms
        )
        self.logits = as_stored(embedding)

    def read(self, source: Sequence[int]) -> Reading:
        """Return ``source``, tokens that end in EOS, as the encoder reads it."""
        x = self.embedding[list(source)] + self.encoder_positions.first(len(source))  # [S, D]
        patterns = {}
        for index, layer in enumerate(self.encoder):
            q, k, v = layer.self_attention.read(x, 1)  # [1, H, S, E]
            pattern = q @ k.transpose(0, 1, 3, 2)  # [1, H, S, S]
            _softmax(pattern)
            patterns[f"encoder.{index}.self_attention.pattern"] = pattern[0]
            layer.self_attention.add_to(x, pattern @ v)
            layer.feed_forward.add_to(x)
        memory = self.encoder_norm(x)  # [S, D]
        return Reading(len(source), tuple(attention.of(memory) for attention in self.cross_attention), patterns)


class Writing:
    """Targets of one source being written, side by side: the keys and values of their tokens so far."""

    def __init__(
        self, model: PackedModel, reading: Reading, n_rows: int, longest: int, hear: Hear = _hear_nothing
    ) -> None:
        """Begin ``n_rows`` targets that read at most ``longest`` tokens, BOS among them.

        ``hear`` is called with the name and the pattern [R, H, new, K] of every attention, whenever tokens are added.
        """
        config = model.config
        self._model, self._reading, self._hear, self.length = model, reading, hear, 0
        self._positions = model.decoder_positions.first(longest)  # [P, D]
        shape = (n_rows, config.n_heads, longest)
        self._keys = [np.empty((*shape, config.d_key), np.float32) for _ in model.decoder]  # [R, H, P, E]
        self._values = [np.empty((*shape, config.d_value), np.float32) for _ in model.decoder]  # [R, H, P, E]

    def add(self, tokens: Int[np.ndarray, "row new"]) -> Float32[np.ndarray, "row new vocabulary"]:
        """Read ``tokens``, which follow those so far; return the logits after each."""
        n_rows, n_new = tokens.shape
        start, end = self.length, self.length + n_new
        x = (self._model.embedding[tokens] + self._positions[start:end]).reshape(n_rows * n_new, -1)  # [N, D]
        future = None if n_new == 1 else np.triu(np.full((n_new, end), -np.inf, np.float32), start + 1)  # [new, K]
        for index, layer in enumerate(self._model.decoder):
            q, k, v = layer.self_attention.read(x, n_rows)  # [R, H, new, E]
            keys, values = self._keys[index], self._values[index]
            keys[:, :, start:end], values[:, :, start:end] = k, v
            pattern = q @ keys[:, :, :end].transpose(0, 1, 3, 2)  # [R, H, new, K]
            if future is not None:
                pattern += future
            _softmax(pattern)
            self._hear(f"decoder.{index}.self_attention.pattern", pattern)
            layer.self_attention.add_to(x, pattern @ values[:, :, :end])
            pattern = self._reading.layers[index].add_to(x).reshape(n_rows, n_new, -1, self._reading.n_tokens)
            self._hear(f"decoder.{index}.cross_attention.pattern", pattern.transpose(0, 2, 1, 3))  # [R, H, new, S]
            layer.feed_forward.add_to(x)
        self.length = end
        return self._model.logits(self._model.decoder_norm(x)).reshape(n_rows, n_new, -1)  # [R, new, V]

    def select(self, rows: Int[np.ndarray, " new_row"]) -> None:
        """Keep, repeat or reorder the targets."""
        self._keys = [keys[rows] for keys in self._keys]
        self._values = [values[rows] for values in self._values]


def _softmax(scores: Array) -> None:
    scores -= np.maximum.reduce(scores, axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= np.add.reduce(scores, axis=-1, keepdims=True)


def _pack_layer(layer: EncoderLayer | DecoderLayer) -> _Layer:
    attention, feed_forward = layer.self_attention, layer.feed_forward
    qkv = np.concatenate([_queries(attention), _transposed(attention.W_K), _transposed(attention.W_V)], axis=1)
    inner, outer = feed_forward.W_1, feed_forward.W_2
    return _Layer(
        _SelfAttention(
            _after_norm(layer.self_attention_residual.norm, qkv),
            _centred(_transposed(attention.W_O)),
            attention.n_heads,
        ),
        _FeedForward(
            _after_norm(layer.feed_forward_residual.norm, _transposed(inner), _numpy(inner.bias)),
            _centred(_transposed(outer)),
            _centred(_numpy(outer.bias)),
        ),
    )


def _pack_cross_attention(attention: MultiHeadAttention, norm: nn.LayerNorm) -> _CrossAttention:
    output = _centred(_transposed(attention.W_O))  # [H·E, D]
    return _CrossAttention(
        _after_norm(norm, _queries(attention)),
        _transposed(attention.W_K),
        _transposed(attention.W_V),
        output.reshape(attention.n_heads, -1, output.shape[1]),  # [H, E, D]
    )


def _after_norm(norm: nn.LayerNorm, weight: Array, bias: Array | float = 0.0) -> _NormedLinear:
    d_model, gain = len(weight), _numpy(norm.weight)[:, None]
    shift: Array = _numpy(norm.bias) @ weight + np.float32(bias)
    return _NormedLinear(weight * gain * np.float32(math.sqrt(d_model)), shift, np.float32(norm.eps * d_model))


def _queries(attention: MultiHeadAttention) -> Array:
    weight = _transposed(attention.W_Q)  # [D, H·E]
    return weight / np.float32(math.sqrt(weight.shape[1] // attention.n_heads))


def _transposed(linear: nn.Linear) -> Array:
    return np.ascontiguousarray(_numpy(linear.weight).T)


def _centred(values: Array) -> Array:
    return np.ascontiguousarray(values - values.mean(axis=-1, keepdims=True))


def _numpy(tensor: Tensor) -> Array:
    return tensor.detach().cpu().float().numpy()
