"""Attention maps as other people's code gives them, checked: what is wrong with them is one sentence."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

import numpy as np
from jaxtyping import Bool, Float32

from viz.base.attention_maps import AttentionKind, BlockName, TokenRow
from viz.base.bfloat16 import in_full
from viz.base.given_tokens import row_of_tokens
from viz.base.words import InputError, page_text

TEXT = page_text("base/given_maps")
"""``## problem …`` says what is wrong with maps."""
# Of half precision, a row of a thousand weights adds up to 1 within this.
_ROUNDING = 0.02

GivenName = Literal["self", "encoder", "decoder", "cross"]
"""The blocks, and that of a model which has one alone."""
Maps = Float32[np.ndarray, "layer head query key"]


def kind_of_maps(
    name: BlockName, maps: Maps, queries: TokenRow, keys: TokenRow, numbers: tuple[int, ...] = ()
) -> AttentionKind:
    """Return ``maps`` between their tokens as one kind of attention.

    ``numbers`` are the numbers of the layers in the model, where ``maps`` do not cover all of them.

    Raises:
        InputError: maps that do not fit the tokens, are negative or not finite.
    """
    for side, row, size in (("rows", queries, maps.shape[2]), ("columns", keys, maps.shape[3])):
        if len(row) != size:
            raise InputError("tokens", kind=name, side=TEXT[side], tokens=len(row), size=size)
    try:
        return AttentionKind(name, maps, queries, keys, layer_numbers=numbers)
    except ValueError as error:
        raise InputError("no weights", kind=name) from error


def maps_of_layers(name: GivenName, layers: Any) -> Maps:
    """Return the maps of all ``layers``.

    Args:
        name: which block of the model.
        layers: a [batch, head, query, key] for each layer, of one text, as Transformers returns them; or one array
            [layer, head, query, key]. Arrays are of NumPy or of PyTorch.

    Raises:
        InputError: anything else.
    """
    if hasattr(layers, "ndim"):
        if layers.ndim != 4 or 0 in layers.shape:
            raise InputError("array", kind=name, shape=_shape(layers))
        return _array(name, layers)
    if not isinstance(layers, Sequence) or isinstance(layers, str) or not len(layers):
        raise InputError("no layers", kind=name)
    maps = [_layer(name, number, layer) for number, layer in enumerate(layers, start=1)]
    for number, layer in enumerate(maps, start=1):
        if layer.shape != maps[0].shape:
            raise InputError("shapes", kind=name, layer=number, shape=_shape(layer), first=_shape(maps[0]))
    return np.stack(maps)


def block_of(name: GivenName, maps: Maps) -> BlockName:
    """Return the block ``name``, resolved for a model with only one kind of attention.

    Such a model is a decoder if no token looks at a later one.
    """
    if name != "self":
        return name
    # Map by map: most encoders tell by their first one.
    looks_ahead = any(np.triu(one, k=1).any() for layer in maps for one in layer)
    return "decoder" if maps.shape[-1] > 1 and not looks_ahead else "encoder"


def why_not_shares(kind: AttentionKind) -> str | None:
    """Return the sentence about rows that do not add up to 1; None where all do."""
    sums = kind.weights.sum(axis=-1)
    is_off: Bool[np.ndarray, "layer head query"] = np.abs(sums - 1) > _ROUNDING
    if not is_off.any():
        return None
    return TEXT["rows do not add up"].format(
        kind=kind.name, n=f"{is_off.sum():,}", all=f"{sums.size:,}", sum=f"{sums[is_off][0]:.3g}"
    )


def _layer(name: GivenName, number: int, layer: Any) -> Float32[np.ndarray, "head query key"]:
    if layer is None:
        raise InputError("none", kind=name, layer=number)
    if isinstance(layer, tuple | list):
        raise InputError("nested", kind=name, layer=number)
    if not hasattr(layer, "ndim") or layer.ndim != 4 or 0 in layer.shape:
        raise InputError("dimensions", kind=name, layer=number, shape=_shape(layer))
    if layer.shape[0] != 1:
        raise InputError("batch", kind=name, layer=number, batch=layer.shape[0])
    maps: Float32[np.ndarray, "head query key"] = _array(name, layer)[0]
    return maps


def _array(name: GivenName, array: Any) -> Float32[np.ndarray, "..."]:
    # A tensor of PyTorch, which this module does not import: NumPy knows neither its graph nor half of its types.
    numbers = in_full(np.asarray(array.detach().cpu().float().numpy() if hasattr(array, "detach") else array))
    if numbers.dtype.kind not in "biuf":
        raise InputError("no weights", kind=name)
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(numbers, dtype=np.float32)


def _shape(array: Any) -> str:
    return f"[{', '.join(map(str, getattr(array, 'shape', ())))}]"


class GivenTokens(Protocol):
    """Tokens as a vocabulary has them, what each stands for, and whether it is special."""

    @property
    def pieces(self) -> Sequence[str]:
        """As the vocabulary has them."""

    @property
    def texts(self) -> Sequence[str]:
        """The text of each token."""

    @property
    def special(self) -> Sequence[bool]:
        """Whether each is special."""


class GivenBlock(Protocol):
    """One kind of attention of one text: the maps of its layers, and the tokens of rows and columns."""

    @property
    def name(self) -> GivenName:
        """Which block of the model."""

    @property
    def layers(self) -> Any:
        """The maps, as :func:`maps_of_layers` takes them."""

    @property
    def queries(self) -> GivenTokens:
        """The tokens of the rows."""

    @property
    def keys(self) -> GivenTokens:
        """The tokens of the columns."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of each layer in the model, from 0, where others have no attention; else nothing."""


def kinds_of_blocks(blocks: Iterable[GivenBlock]) -> tuple[AttentionKind, ...]:
    """Return the attention of ``blocks``; raises InputError where it is none that can be shown."""
    maps_of = [(block, maps_of_layers(block.name, block.layers)) for block in blocks]
    return tuple(
        kind_of_maps(block_of(block.name, maps), maps, _row(block.queries), _row(block.keys), block.numbers)
        for block, maps in maps_of
    )


def _row(tokens: GivenTokens) -> TokenRow:
    return row_of_tokens(tokens.pieces, texts=tokens.texts, special=tokens.special)
