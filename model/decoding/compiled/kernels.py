"""A pre-norm encoder–decoder's layers as machine code, for writing one text on a CPU.

For one token of a small model, calls into PyTorch or NumPy take longer than what they compute. Here a whole stack is
one call, compiled by Numba when it is first made and kept on disk for later processes. Every function fills what its
caller gives it; weights are stacked by layer, in float32 or in the half precision that they ship in.
"""

import inspect
import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from jaxtyping import Float32
from llvmlite import ir
from numba.extending import intrinsic

from model.decoding.compiled.half_precision import Stored

Array = Float32[np.ndarray, "..."]

_Function = TypeVar("_Function", bound=Callable[..., object])

# What Numba keeps on disk names the classes below, and is read before Numba looks whether this file has changed: with a
# class renamed or taken away it cannot be read. Rename this file as well then, and nobody meets what is left of it.


class Norm(NamedTuple):
    """LayerNorms, one for each layer; a single one is of layer 0."""

    gain: Array  # [L, D]
    shift: Array  # [L, D]
    epsilon: np.float32


class Attention(NamedTuple):
    """Attention blocks with the norms before them, one for each layer."""

    norm: Norm
    W_Q: Stored  # [L, H·E, D]
    W_K: Stored  # [L, H·E, D]
    W_V: Stored  # [L, H·E, D]
    W_O: Stored  # [L, D, H·E]


class FeedForward(NamedTuple):
    """Feed-forward blocks with the norms before them, one for each layer."""

    norm: Norm
    W_1: Stored  # [L, F, D]
    b_1: Array  # [L, F]
    W_2: Stored  # [L, D, F]
    b_2: Array  # [L, D]


class Encoder(NamedTuple):
    """An encoder's layers, and the norm of its output."""

    self_attention: Attention
    feed_forward: FeedForward
    final: Norm


class Decoder(NamedTuple):
    """A decoder's layers, the norm of its output, and the embeddings [V, D] that read the logits from it."""

    self_attention: Attention
    cross_attention: Attention
    feed_forward: FeedForward
    final: Norm
    embedding: Stored


class Context(NamedTuple):
    """Keys and values that R targets of one source attend to: of their own tokens, room for P, and of the source."""

    keys: Array  # [L, R, P, H·E]
    values: Array  # [L, R, P, H·E]
    source_keys: Array  # [L, S, H·E]
    source_values: Array  # [L, S, H·E]


class Outputs(NamedTuple):
    """What a decoder tells of N new tokens of each of R targets, K with those before."""

    self_pattern: Array  # [L, R, H, N, K]
    cross_pattern: Array  # [L, R, H, N, S]
    logits: Array  # [R·N, V]


def _compiled(function: _Function) -> _Function:
    # Sums may be taken in any order, several at once, as in every BLAS; NaN and infinity keep their meaning.
    compile_it = partial(numba.njit, nogil=True, fastmath={"reassoc", "contract", "nsz", "arcp"})
    formula = inspect.unwrap(function)  # what checks shapes in tests is no part of it
    try:
        return cast(_Function, compile_it(cache=True)(formula))
    except RuntimeError:  # neither this folder nor the user's cache can be written to
        return cast(_Function, compile_it()(formula))


def _typed_single(_context: object, number: Any) -> Any:  # numba's own types
    kept_in_half = number == numba.uint16

    def generate(_context: object, builder: Any, _signature: object, arguments: Any) -> Any:
        if not kept_in_half:
            return arguments[0]
        return builder.fpext(builder.bitcast(arguments[0], ir.HalfType()), ir.FloatType())

    return numba.float32(number), generate


_single: Any = intrinsic(_typed_single)
"""Returns a weight in single precision, whichever it is kept in."""


@_compiled
def read(x: Array, encoder: Encoder, patterns: Array) -> None:
    """Let an encoder read one text: make its embeddings ``x`` [S, D] the encoder's output.

    ``patterns`` [L, H, S, S] become those of its self-attention.
    """
    attention = encoder.self_attention
    normed = np.empty_like(x)  # [S, D]
    q, k, v, z = _projections(attention, len(x))
    hidden = np.empty((len(x), encoder.feed_forward.W_1.shape[1]), np.float32)
    for layer in range(len(patterns)):
        _normalize(x, attention.norm, layer, normed)
        _project(normed, attention.W_Q[layer], q)
        _project(normed, attention.W_K[layer], k)
        _project(normed, attention.W_V[layer], v)
        for query in range(len(x)):
            _attend(q[query], k, v, patterns[layer, :, query], z[query])
        _project(z, attention.W_O[layer], normed)
        x += normed
        _feed_forward(x, encoder.feed_forward, layer, normed, hidden)
    _normalize(x, encoder.final, 0, x)


@_compiled
def read_memory(memory: Array, decoder: Decoder, context: Context) -> None:
    """Fill in what cross-attention reads of the encoder's output ``memory`` [S, D]."""
    for layer in range(len(context.source_keys)):
        _project(memory, decoder.cross_attention.W_K[layer], context.source_keys[layer])
        _project(memory, decoder.cross_attention.W_V[layer], context.source_values[layer])


@_compiled
def write(x: Array, start: int, decoder: Decoder, context: Context, outputs: Outputs) -> None:
    """Let a decoder read N tokens for each of R targets.

    Args:
        x: embeddings [R·N, D] of the tokens; made the decoder's output.
        start: how many tokens each target has before.
        decoder: what reads.
        context: what it attends to; the keys and values of the new tokens are filled in.
        outputs: filled in; its self-attention is left alone where a query sees no key.
    """
    own, cross = decoder.self_attention, decoder.cross_attention
    n_rows = context.keys.shape[1]
    n_new = len(x) // n_rows
    normed = np.empty_like(x)  # [R·N, D]
    q, k, v, z = _projections(own, len(x))
    hidden = np.empty((len(x), decoder.feed_forward.W_1.shape[1]), np.float32)
    for layer in range(len(context.keys)):
        _normalize(x, own.norm, layer, normed)
        _project(normed, own.W_Q[layer], q)
        _project(normed, own.W_K[layer], k)
        _project(normed, own.W_V[layer], v)
        for place in range(len(x)):
            row, new = place // n_new, place % n_new
            keys, values = context.keys[layer, row], context.values[layer, row]  # [P, H·E]
            keys[start + new], values[start + new] = k[place], v[place]
            _attend(q[place], keys, values, outputs.self_pattern[layer, row, :, new, : start + new + 1], z[place])
        _project(z, own.W_O[layer], normed)
        x += normed
        _normalize(x, cross.norm, layer, normed)
        _project(normed, cross.W_Q[layer], q)
        for place in range(len(x)):
            pattern = outputs.cross_pattern[layer, place // n_new, :, place % n_new]  # [H, S]
            _attend(q[place], context.source_keys[layer], context.source_values[layer], pattern, z[place])
        _project(z, cross.W_O[layer], normed)
        x += normed
        _feed_forward(x, decoder.feed_forward, layer, normed, hidden)
    _normalize(x, decoder.final, 0, x)
    _project(x, decoder.embedding, outputs.logits)


@_compiled
def _projections(attention: Attention, n: int) -> tuple[Array, Array, Array, Array]:
    """Return room for the queries, keys, values and results of ``n`` positions, [n, H·E] each."""
    n_keys, n_values = attention.W_Q.shape[1], attention.W_V.shape[1]
    return (
        np.empty((n, n_keys), np.float32),
        np.empty((n, n_keys), np.float32),
        np.empty((n, n_values), np.float32),
        np.empty((n, n_values), np.float32),
    )


@_compiled
def _normalize(x: Array, norm: Norm, layer: int, out: Array) -> None:
    """Fill ``out`` [N, D] with the LayerNorm of ``x``, which may be ``out`` itself."""
    gain, shift = norm.gain[layer], norm.shift[layer]
    for row in range(len(x)):
        values, normed = x[row], out[row]
        mean = values.sum() / np.float32(len(values))
        square = np.float32(0)
        for i in range(len(values)):
            square += (values[i] - mean) ** 2
        scale = np.float32(1) / np.sqrt(square / np.float32(len(values)) + norm.epsilon)
        for i in range(len(values)):
            normed[i] = (values[i] - mean) * scale * gain[i] + shift[i]


@_compiled
def _project(x: Array, weight: Stored, out: Array) -> None:
    """Fill ``out`` [N, out] with x Wᵀ, of ``x`` [N, D]."""
    n_rows, n_columns = len(x), len(weight)
    if n_rows < 4:
        for row in range(n_rows):
            _project_row(x[row], weight, out[row])
        return
    for column in range(0, n_columns - 1, 2):
        _project_pair(x, weight[column], weight[column + 1], out[:, column : column + 2])
    if n_columns % 2:
        for row in range(n_rows):
            _project_row(x[row], weight[-1:], out[row, -1:])


@_compiled
def _project_pair(x: Array, left: Stored, right: Stored, out: Array) -> None:
    """Fill ``out`` [N, 2] with the products of ``x`` [N, D], four rows or more, and two rows of a weight, [D] each.

    A weight that was read serves four rows, a number of ``x`` two columns.
    """
    for start in range(0, len(x), 4):
        # The last four may begin among those before them: sooner done than one by one.
        row = min(start, len(x) - 4)
        first, second, third, fourth = x[row], x[row + 1], x[row + 2], x[row + 3]
        a = b = c = d = np.float32(0)
        e = f = g = h = np.float32(0)
        for i in range(x.shape[1]):
            one, other = _single(left[i]), _single(right[i])
            a += one * first[i]
            b += one * second[i]
            c += one * third[i]
            d += one * fourth[i]
            e += other * first[i]
            f += other * second[i]
            g += other * third[i]
            h += other * fourth[i]
        out[row, 0], out[row + 1, 0], out[row + 2, 0], out[row + 3, 0] = a, b, c, d
        out[row, 1], out[row + 1, 1], out[row + 2, 1], out[row + 3, 1] = e, f, g, h


@_compiled
def _project_row(x: Array, weight: Stored, out: Array) -> None:
    """Fill ``out`` [out] with W x, of a ``weight`` W [out, D] and a row ``x`` [D]; a number of it serves four times."""
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
def _attend(q: Array, keys: Array, values: Array, pattern: Array, z: Array) -> None:
    """Fill in the ``pattern`` [H, K] and the result ``z`` [H·E] of one query [H·E] and the first K keys."""
    n_heads, n_keys = pattern.shape
    d_key, d_value = len(q) // n_heads, len(z) // n_heads
    scale = np.float32(1 / math.sqrt(d_key))
    weights = np.empty(n_keys, np.float32)
    z[:] = 0
    for head in range(n_heads):
        largest = -np.float32(np.inf)
        for key in range(n_keys):
            score = np.float32(0)
            for i in range(head * d_key, (head + 1) * d_key):
                score += q[i] * keys[key, i]
            weights[key] = score * scale
            largest = max(largest, weights[key])
        total = np.float32(0)
        for key in range(n_keys):
            weights[key] = math.exp(weights[key] - largest)
            total += weights[key]
        for key in range(n_keys):
            weight = weights[key] / total
            pattern[head, key] = weight
            for i in range(head * d_value, (head + 1) * d_value):
                z[i] += weight * values[key, i]


@_compiled
def _feed_forward(x: Array, block: FeedForward, layer: int, normed: Array, hidden: Array) -> None:
    """Add the block's output to ``x`` [N, D]; ``normed`` [N, D] and ``hidden`` [N, F] are room for it."""
    _normalize(x, block.norm, layer, normed)
    _project(normed, block.W_1[layer], hidden)
    for row in range(len(x)):
        for i in range(hidden.shape[1]):
            hidden[row, i] = max(np.float32(0), hidden[row, i] + block.b_1[layer, i])
    _project(hidden, block.W_2[layer], normed)
    for row in range(len(x)):
        for i in range(x.shape[1]):
            x[row, i] += normed[row, i] + block.b_2[layer, i]
