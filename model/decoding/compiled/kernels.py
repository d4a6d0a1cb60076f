"""The layers of a pre-norm encoder–decoder as machine code, for decoding on a CPU.

For one token of a small model, calls into PyTorch or NumPy take longer than their arithmetic. Here a whole stack is one
call, which Numba compiles at its first use and keeps on disk for later processes. Every function fills arrays of its
caller. Weights are stacked by layer, in float32 or in the half precision that they ship in.
"""

import inspect
import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from jaxtyping import Float32, Int64
from llvmlite import ir
from numba.extending import intrinsic

from model.decoding.compiled.half_precision import Stored

Array = Float32[np.ndarray, "..."]
Places = Int64[np.ndarray, "..."]

_Function = TypeVar("_Function", bound=Callable[..., object])


class NormWeights(NamedTuple):
    """The weights of LayerNorms, one for each layer; those of a final norm stand at layer 0."""

    weight: Array  # [L, D]
    bias: Array  # [L, D]
    epsilon: np.float32


class AttentionWeights(NamedTuple):
    """The weights of attention blocks and of the norms before them, one for each layer."""

    norm: NormWeights
    W_Q: Stored  # [L, H·E, D]
    W_K: Stored  # [L, H·E, D]
    W_V: Stored  # [L, H·E, D]
    W_O: Stored  # [L, D, H·E]


class FeedForwardWeights(NamedTuple):
    """The weights of feed-forward blocks and of the norms before them, one for each layer."""

    norm: NormWeights
    W_1: Stored  # [L, F, D]
    b_1: Array  # [L, F]
    W_2: Stored  # [L, D, F]
    b_2: Array  # [L, D]


class EncoderWeights(NamedTuple):
    """The weights of an encoder's layers, and of its final norm."""

    self_attention: AttentionWeights
    feed_forward: FeedForwardWeights
    final: NormWeights


class DecoderWeights(NamedTuple):
    """The weights of a decoder's layers and final norm, and the embeddings [V, D] for the logits."""

    self_attention: AttentionWeights
    cross_attention: AttentionWeights
    feed_forward: FeedForwardWeights
    final: NormWeights
    embedding: Stored


class KeysAndValues(NamedTuple):
    """The keys and values for R targets: of T target tokens, and of the S tokens of all sources.

    Targets with the same beginning share its keys and values: ``places`` says where each finds those of its P tokens.
    """

    keys: Array  # [L, T, H·E]
    values: Array  # [L, T, H·E]
    places: Places  # [R, P]
    source_keys: Array  # [L, S, H·E]
    source_values: Array  # [L, S, H·E]
    source_ranges: Places  # [R, 2], the first token of each target's source, and the one after its last


class AttendedTokens(NamedTuple):
    """The K keys and values that a query attends to, by their places among T."""

    keys: Array  # [T, H·E]
    values: Array  # [T, H·E]
    places: Places  # [K]


class StepOutputs(NamedTuple):
    """The outputs for N new tokens of each of R targets of K tokens; S is the longest source."""

    self_pattern: Array  # [L, R, H, N, K]
    cross_pattern: Array  # [L, R, H, N, S]
    logits: Array  # [R·N, V]


def _compiled(function: _Function) -> _Function:
    # Sums may be reordered and vectorised, as in every BLAS; NaN and infinity keep their meaning.
    compile_it = partial(numba.njit, nogil=True, fastmath={"reassoc", "contract", "nsz", "arcp"})
    formula = inspect.unwrap(function)  # without the checks of shapes in tests
    try:
        return cast(_Function, _with_readable_files(compile_it(cache=True)(formula)))
    except RuntimeError:  # neither this folder nor the user's cache can be written to
        return cast(_Function, compile_it()(formula))


def _with_readable_files(compiled: Any) -> Any:
    """Return ``compiled``; drop its cached files first if one is damaged, as after a power cut.

    Numba itself raises at such a file, at every call and every start.
    """
    files = compiled._cache._cache_file
    try:
        for name in files._load_index().values():
            files._load_data(name)
    except Exception:  # unpickling can raise anything
        compiled._cache.flush()
    return compiled


def _typed_single(_context: object, number: Any) -> Any:  # numba's own types
    kept_in_half = number == numba.uint16

    def generate(_context: object, builder: Any, _signature: object, arguments: Any) -> Any:
        if not kept_in_half:
            return arguments[0]
        return builder.fpext(builder.bitcast(arguments[0], ir.HalfType()), ir.FloatType())

    return numba.float32(number), generate


_single: Any = intrinsic(_typed_single)
"""Returns a weight in single precision, whatever precision it is kept in."""


@_compiled
def encode(x: Array, encoder: EncoderWeights, patterns: Array) -> None:
    """Replace the embeddings ``x`` [S, D] of one source by the encoder's output.

    ``patterns`` [L, H, S, S] become those of its self-attention.
    """
    attention = encoder.self_attention
    normed = np.empty_like(x)  # [S, D]
    q, k, v, z = _empty_projections(attention, len(x))
    attended = AttendedTokens(k, v, np.arange(len(x)))
    hidden = np.empty((len(x), encoder.feed_forward.W_1.shape[1]), np.float32)
    for layer in range(len(patterns)):
        _layer_norm(x, attention.norm, layer, normed)
        _project(normed, attention.W_Q[layer], q)
        _project(normed, attention.W_K[layer], k)
        _project(normed, attention.W_V[layer], v)
        for query in range(len(x)):
            _attend(q[query], attended, patterns[layer, :, query], z[query])
        _project(z, attention.W_O[layer], normed)
        x += normed
        _add_feed_forward(x, encoder.feed_forward, layer, normed, hidden)
    _layer_norm(x, encoder.final, 0, x)


@_compiled
def project_memory(memory: Array, decoder: DecoderWeights, cached: KeysAndValues) -> None:
    """Fill in the keys and values of cross-attention from the encoder's output ``memory`` [S, D]."""
    for layer in range(len(cached.source_keys)):
        _project(memory, decoder.cross_attention.W_K[layer], cached.source_keys[layer])
        _project(memory, decoder.cross_attention.W_V[layer], cached.source_values[layer])


@_compiled
def decode(x: Array, start: int, decoder: DecoderWeights, cached: KeysAndValues, outputs: StepOutputs) -> None:
    """Append N tokens to each of R targets.

    Args:
        x: embeddings [R·N, D] of the tokens; replaced by the decoder's output.
        start: the number of tokens that each target has already.
        decoder: its weights.
        cached: the keys and values; those of the new tokens are filled in.
        outputs: filled in; the patterns stay as they are at later keys, and after the end of a source.
    """
    own, cross = decoder.self_attention, decoder.cross_attention
    n_new = len(x) // len(cached.places)
    source_places = np.arange(cached.source_keys.shape[1])
    normed = np.empty_like(x)  # [R·N, D]
    q, k, v, z = _empty_projections(own, len(x))
    hidden = np.empty((len(x), decoder.feed_forward.W_1.shape[1]), np.float32)
    for layer in range(len(cached.keys)):
        _layer_norm(x, own.norm, layer, normed)
        _project(normed, own.W_Q[layer], q)
        _project(normed, own.W_K[layer], k)
        _project(normed, own.W_V[layer], v)
        for place in range(len(x)):
            row, new = place // n_new, place % n_new
            places = cached.places[row, : start + new + 1]
            attended = AttendedTokens(cached.keys[layer], cached.values[layer], places)
            attended.keys[places[-1]], attended.values[places[-1]] = k[place], v[place]
            _attend(q[place], attended, outputs.self_pattern[layer, row, :, new], z[place])
        _project(z, own.W_O[layer], normed)
        x += normed
        _layer_norm(x, cross.norm, layer, normed)
        _project(normed, cross.W_Q[layer], q)
        for place in range(len(x)):
            row, new = place // n_new, place % n_new
            first, end = cached.source_ranges[row]
            attended = AttendedTokens(cached.source_keys[layer], cached.source_values[layer], source_places[first:end])
            _attend(q[place], attended, outputs.cross_pattern[layer, row, :, new], z[place])
        _project(z, cross.W_O[layer], normed)
        x += normed
        _add_feed_forward(x, decoder.feed_forward, layer, normed, hidden)
    _layer_norm(x, decoder.final, 0, x)
    _project(x, decoder.embedding, outputs.logits)


@_compiled
def _empty_projections(attention: AttentionWeights, n: int) -> tuple[Array, Array, Array, Array]:
    """Return empty arrays for the queries, keys, values and outputs of ``n`` positions, [n, H·E] each."""
    n_keys, n_values = attention.W_Q.shape[1], attention.W_V.shape[1]
    return (
        np.empty((n, n_keys), np.float32),
        np.empty((n, n_keys), np.float32),
        np.empty((n, n_values), np.float32),
        np.empty((n, n_values), np.float32),
    )


@_compiled
def _layer_norm(x: Array, norm: NormWeights, layer: int, out: Array) -> None:
    """Fill ``out`` [N, D] with the LayerNorm of ``x``, which may be ``out`` itself."""
    weight, bias = norm.weight[layer], norm.bias[layer]
    for row in range(len(x)):
        values, normed = x[row], out[row]
        mean = values.sum() / np.float32(len(values))
        square = np.float32(0)
        for i in range(len(values)):
            square += (values[i] - mean) ** 2
        scale = np.float32(1) / np.sqrt(square / np.float32(len(values)) + norm.epsilon)
        for i in range(len(values)):
            normed[i] = (values[i] - mean) * scale * weight[i] + bias[i]


@_compiled
def _project(x: Array, weight: Stored, out: Array) -> None:
    """Fill ``out`` [N, out] with x Wᵀ, of ``x`` [N, D]."""
    n_rows, n_columns = len(x), len(weight)
    if n_rows < 4 or n_columns < 2:
        for row in range(n_rows):
            _project_row(x[row], weight, out[row])
        return
    for column in range(0, n_columns, 2):
        for row in range(0, n_rows, 4):
            # The last blocks may overlap those before: that is faster than single rows and columns.
            block = np.uint64(min(row, n_rows - 4)), np.uint64(min(column, n_columns - 2))
            _project_block(x, weight, out, block)


@_compiled
def _project_block(x: Array, weight: Stored, out: Array, start: tuple[np.uint64, np.uint64]) -> None:
    """Fill in four rows and two columns of ``out``, from the row and the column ``start`` on.

    A weight is read once for four rows, and a number of ``x`` once for two columns. Unsigned indices cost no check for
    negative ones.
    """
    row, column = start
    first, second, third, fourth = x[row], x[row + 1], x[row + 2], x[row + 3]
    left, right = weight[column], weight[column + 1]
    a = b = c = d = np.float32(0)
    e = f = g = h = np.float32(0)
    for i in range(x.shape[1]):
        w, v = _single(left[i]), _single(right[i])
        a += w * first[i]
        b += w * second[i]
        c += w * third[i]
        d += w * fourth[i]
        e += v * first[i]
        f += v * second[i]
        g += v * third[i]
        h += v * fourth[i]
    out[row, column], out[row + 1, column], out[row + 2, column], out[row + 3, column] = a, b, c, d
    column += 1
    out[row, column], out[row + 1, column], out[row + 2, column], out[row + 3, column] = e, f, g, h


@_compiled
def _project_row(x: Array, weight: Stored, out: Array) -> None:
    """Fill ``out`` [out] with W x, for ``weight`` W [out, D] and a row ``x`` [D]; four rows at a time."""
    column, n_columns = 0, len(weight)
    while column + 4 <= n_columns:
        first, second, third, fourth = weight[column], weight[column + 1], weight[column + 2], weight[column + 3]
        a = b = c = d = np.float32(0)
        for i in range(len(x)):
            a += _single(first[i]) * x[i]
            b += _single(second[i]) * x[i]
            c += _single(third[i]) * x[i]
            d += _single(fourth[i]) * x[i]
        out[column], out[column + 1], out[column + 2], out[column + 3] = a, b, c, d
        column += 4
    while column < n_columns:
        a, first = np.float32(0), weight[column]
        for i in range(len(x)):
            a += _single(first[i]) * x[i]
        out[column] = a
        column += 1


@_compiled
def _attend(q: Array, attended: AttendedTokens, pattern: Array, z: Array) -> None:
    """Fill in the ``pattern`` [H, K or more] and output ``z`` [H·E] of one query [H·E] over K keys."""
    keys, values, places = attended
    n_heads, n_keys = len(pattern), len(places)
    d_key, d_value = len(q) // n_heads, len(z) // n_heads
    scale = np.float32(1 / math.sqrt(d_key))
    weights = np.empty(n_keys, np.float32)
    z[:] = 0
    for head in range(n_heads):
        # Loops from 0 over slices become faster code than loops over the head's part of the whole.
        of_key, of_value = slice(head * d_key, (head + 1) * d_key), slice(head * d_value, (head + 1) * d_value)
        head_q, head_z = q[of_key], z[of_value]
        largest = -np.float32(np.inf)
        for key in range(n_keys):
            head_key = keys[np.uint64(places[key]), of_key]
            score = np.float32(0)
            for i in range(d_key):
                score += head_q[i] * head_key[i]
            weights[key] = score * scale
            largest = max(largest, weights[key])
        total = np.float32(0)
        for key in range(n_keys):
            weights[key] = math.exp(weights[key] - largest)
            total += weights[key]
        for key in range(n_keys):
            weight = weights[key] / total
            pattern[head, key] = weight
            head_value = values[np.uint64(places[key]), of_value]
            for i in range(d_value):
                head_z[i] += weight * head_value[i]


@_compiled
def _add_feed_forward(x: Array, block: FeedForwardWeights, layer: int, normed: Array, hidden: Array) -> None:
    """Add the block's output to ``x`` [N, D]; ``normed`` [N, D] and ``hidden`` [N, F] are overwritten."""
    _layer_norm(x, block.norm, layer, normed)
    _project(normed, block.W_1[layer], hidden)
    for row in range(len(x)):
        for i in range(hidden.shape[1]):
            hidden[row, i] = max(np.float32(0), hidden[row, i] + block.b_1[layer, i])
    _project(hidden, block.W_2[layer], normed)
    for row in range(len(x)):
        for i in range(x.shape[1]):
            x[row, i] += normed[row, i] + block.b_2[layer, i]
