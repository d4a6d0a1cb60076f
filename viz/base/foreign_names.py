"""Attention under the names that other people's code saves it by.

A layer is an array of its own, such as ``attentions_0``, ``encoder/layer_3/attention`` or ``arr_0``, or all layers are
one; each of one text, with its batch of 1 or without. A name with *cross* is cross-attention, one with *encoder* or
*decoder* is of that block, and any other of a model of one block.
"""

import re
from collections.abc import Mapping

import numpy as np

from viz.base.bfloat16 import in_full
from viz.base.given_maps import GivenName, Maps, maps_of_layers
from viz.base.words import InputError

Arrays = Mapping[str, np.ndarray]
SIDES: dict[GivenName, tuple[str, str]] = {
    "self": ("tokens", "tokens"),
    "encoder": ("encoder_tokens", "encoder_tokens"),
    "decoder": ("decoder_tokens", "decoder_tokens"),
    "cross": ("decoder_tokens", "encoder_tokens"),
}
"""What the tokens of rows and of columns are called, as in BertViz."""
_NUMBER = re.compile(r"\d+")
_ATTENTION = re.compile(r"att(?:entio)?n|self|cross|encoder|decoder|arr|pattern|layer|block", re.IGNORECASE)
_BLOCKS: tuple[GivenName, ...] = ("cross", "decoder", "encoder")


def foreign_maps(arrays: Arrays) -> dict[GivenName, Maps]:
    """Return the maps of each block among ``arrays``; nothing where no name is one of attention.

    Raises:
        InputError: maps of several texts, of different shapes, or with a layer missing.
    """
    named = {name: in_full(array) for name, array in arrays.items() if _is_attention(name, array)}
    blocks: dict[GivenName, dict[int, np.ndarray]] = {}
    whole: dict[GivenName, np.ndarray] = {}
    for name, array in named.items():
        block: GivenName = next((one for one in _BLOCKS if one in name.lower()), "self")
        number = _NUMBER.search(name)
        if number and not (array.ndim == 4 and array.shape[0] > 1 and len(named) == 1):
            blocks.setdefault(block, {})[int(number[0])] = array if array.ndim == 4 else array[None]
        else:
            whole[block] = _without_batch(block, array)
    maps: dict[GivenName, Maps] = {block: maps_of_layers(block, array) for block, array in whole.items()}
    for block, layers in blocks.items():
        maps.setdefault(block, maps_of_layers(block, [layers[number] for number in sorted(layers)]))
    if "self" in maps and len(maps) > 1:
        raise InputError("both")
    return {block: maps[block] for block in SIDES if block in maps}


def _is_attention(name: str, array: np.ndarray) -> bool:
    is_number = array.dtype.kind in "biufV"
    return is_number and 3 <= array.ndim <= 5 and bool(_ATTENTION.search(name))


def _without_batch(block: GivenName, array: np.ndarray) -> np.ndarray:
    """Return [layer, head, query, key] of [layer, batch, head, query, key], with a batch of 1."""
    if array.ndim != 5:
        return array
    if array.shape[1] != 1:
        raise InputError("batch", kind=block, layer=1, batch=array.shape[1])
    return array[:, 0]
