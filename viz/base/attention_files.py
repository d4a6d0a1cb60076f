"""Attention in files: NPZ as the explorer saves it, and safetensors of the same names.

A file holds ``encoder``, ``decoder`` and ``cross``, or some of them, each [layer, head, query, key]; and for each its
tokens, as ``encoder_queries`` and ``encoder_keys``, which in safetensors are lists in JSON, among the metadata. Where
some layers of the model have no attention, ``encoder_layers`` has the numbers of those that have, from 0. Maps by the
names of their hooks, each [head, query, key], are read too, and what other people's code saves: see ``foreign_names``.
"""

import io
import json
import lzma
import tokenize
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from typing import IO

import numpy as np
from safetensors import SafetensorError, deserialize

from viz.base.attention_maps import BLOCKS, AttentionKind, BlockName, TokenRow, hook_name
from viz.base.bfloat16 import bfloat16_in_full, in_full
from viz.base.exports import arrays_as_npz
from viz.base.foreign_names import SIDES, foreign_maps
from viz.base.given_maps import GivenName, Maps, block_of, kind_of_maps, maps_of_layers
from viz.base.given_tokens import row_of_places, row_of_tokens
from viz.base.markdown import safe_as_code
from viz.base.words import InputError, listed

MOST_NUMBERS = 40_000_000
"""What a file may hold: as many as 12 layers of 12 heads need for 512 tokens."""
_MOST_NAMED = 4
_READ_HEADER = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
# What ``zipfile``, its decompressors and NumPy's reader of headers raise at damaged bytes.
_DAMAGED = (
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    lzma.LZMAError,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
# What the tokens are called beside maps by the names of hooks, for rows and columns.
_PIECES: dict[BlockName, tuple[str, str]] = {
    "encoder": ("source_pieces", "source_pieces"),
    "decoder": ("target_pieces", "read_pieces"),
    "cross": ("target_pieces", "source_pieces"),
}

# Types of safetensors, as NumPy has them.
_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BOOL": "?"} | {
    f"{sign}{8 * size}": f"<{sign.lower()}{size}" for sign in "IU" for size in (1, 2, 4, 8)
}

Arrays = Mapping[str, np.ndarray]
Tokens = Mapping[str, Sequence[str]]


def kinds_as_npz(kinds: Sequence[AttentionKind]) -> bytes:
    """Return ``kinds`` as the explorer saves them."""
    arrays: dict[str, np.ndarray] = {kind.name: kind.weights for kind in kinds}
    for kind in kinds:
        arrays |= {f"{kind.name}_{side}": np.array(labels, dtype=np.str_) for side, labels in _labels(kind).items()}
        if kind.layer_numbers:
            arrays[f"{kind.name}_layers"] = np.array(kind.layer_numbers, dtype=np.int64)
    return arrays_as_npz(arrays)


def kinds_of_file(name: str, content: bytes) -> tuple[AttentionKind, ...]:
    """Return the attention in the file ``name``.

    Raises:
        InputError: a file of another kind, a damaged one, one without attention, or one of more than ``MOST_NUMBERS``.
    """
    if name.endswith(".npz"):
        return _kinds(*_read_npz(content))
    if name.endswith(".safetensors"):
        return _kinds(*_read_safetensors(content))
    raise InputError("ending")


def _labels(kind: AttentionKind) -> dict[str, tuple[str, ...]]:
    return {"queries": kind.queries.labels, "keys": kind.keys.labels}


def _read_npz(content: bytes) -> tuple[Arrays, Tokens]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename.endswith(".npy")]
            # A few bytes may unpack to any number of them.
            _refuse_many(sum(entry.file_size for entry in entries) // np.dtype(np.float32).itemsize)
            arrays = {}
            for entry in entries:
                with archive.open(entry) as file:
                    arrays[entry.filename.removesuffix(".npy")] = _read_npy(file, entry.file_size)
    except _DAMAGED as error:
        if isinstance(error, InputError):
            raise
        raise InputError("no npz") from None
    tokens = {name: _texts(array) for name, array in arrays.items() if array.ndim == 1 and array.dtype.kind in "SU"}
    return {name: in_full(array) for name, array in arrays.items()}, tokens


def _texts(array: np.ndarray) -> list[str]:
    return [text.decode(errors="replace") if isinstance(text, bytes) else text for text in array.tolist()]


def _read_npy(file: IO[bytes], size: int) -> np.ndarray:
    """Return the array in ``file``, whose header must not promise more than its ``size`` bytes.

    Raises:
        ValueError: no array of numbers or texts, or one cut off.
    """
    shape, is_fortran, dtype = _READ_HEADER[np.lib.format.read_magic(file)](file)
    n_bytes = int(np.prod(shape, dtype=object)) * dtype.itemsize
    if dtype.hasobject or not 0 <= n_bytes <= size:
        raise ValueError(dtype, shape)
    return np.frombuffer(file.read(n_bytes), dtype).reshape(shape, order="F" if is_fortran else "C")


def _read_safetensors(content: bytes) -> tuple[Arrays, Tokens]:
    try:
        arrays = {name: _tensor(**tensor) for name, tensor in deserialize(content)}  # type: ignore[no-untyped-call]
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        texts = {name: json.loads(text) for name, text in header.get("__metadata__", {}).items() if text[:1] == "["}
    # A type that is not known is a KeyError.
    except (KeyError, RecursionError, SafetensorError, TypeError, ValueError):
        raise InputError("no safetensors") from None
    _refuse_many(sum(array.size for array in arrays.values()))
    return arrays, {name: list(map(str, tokens)) for name, tokens in texts.items()}


def _tensor(dtype: str, shape: Sequence[int], data: bytes | bytearray) -> np.ndarray:
    if dtype == "BF16":
        return bfloat16_in_full(np.frombuffer(data, "<u2")).reshape(shape)
    return np.frombuffer(data, _TYPES[dtype]).reshape(shape)


def _refuse_many(n_numbers: int) -> None:
    if n_numbers > MOST_NUMBERS:
        raise InputError("too many weights", given=f"{n_numbers:,}", most=f"{MOST_NUMBERS:,}")


def _kinds(arrays: Arrays, tokens: Tokens) -> tuple[AttentionKind, ...]:
    kinds = [kind for name in BLOCKS if (kind := _kind(name, arrays, tokens)) is not None]
    kinds = kinds or [_foreign_kind(name, maps, tokens) for name, maps in foreign_maps(arrays).items()]
    if not kinds:
        raise InputError("no maps", names=safe_as_code(listed([*arrays][:_MOST_NAMED]) or "–"))
    return tuple(kinds)


def _kind(name: BlockName, arrays: Arrays, tokens: Tokens) -> AttentionKind | None:
    hooks = [*takewhile(arrays.__contains__, (hook_name(name, layer) for layer in count()))]
    if name in arrays:
        maps = maps_of_layers(name, arrays[name])
        names = (f"{name}_queries", f"{name}_keys")
    elif hooks:
        maps, names = maps_of_layers(name, [arrays[hook][None] for hook in hooks]), _PIECES[name]
    else:
        return None
    queries, keys = (_row(tokens, side, size) for side, size in zip(names, maps.shape[2:], strict=True))
    return kind_of_maps(name, maps, queries, keys, _numbers(arrays.get(f"{name}_layers"), len(maps)))


def _foreign_kind(name: GivenName, maps: Maps, tokens: Tokens) -> AttentionKind:
    queries, keys = (_row(tokens, side, size) for side, size in zip(SIDES[name], maps.shape[2:], strict=True))
    return kind_of_maps(block_of(name, maps), maps, queries, keys)


def _numbers(array: np.ndarray | None, n_layers: int) -> tuple[int, ...]:
    """Return the layer numbers that a file holds; empty where no model could have them."""
    if array is None or array.shape != (n_layers,) or array.dtype.kind not in "iu":
        return ()
    numbers = tuple(array.tolist())
    return numbers if numbers[0] >= 0 and numbers == tuple(sorted({*numbers})) else ()


def _row(tokens: Tokens, name: str, size: int) -> TokenRow:
    return row_of_tokens(tokens[name]) if tokens.get(name) else row_of_places(size)
