"""Heads of any model of Transformers, switched off: what one passes on is zero before the output projection.

The projection is found by what it computes, not by its name. While the model reads a text, each product of an attention
map and the values is kept; the layer with a matrix whose input is exactly that product, head beside head, is the output
projection that belongs to the map. A gate may stand between them, which leaves a share of each number.

    z_h = pattern_h V_h,   output = [z_1, …, z_H] W_O          (Vaswani et al. 2017, section 3.2.2)

Some models have no such layer of their own: ALBERT's layers share one, XLNet's is no module, SqueezeBERT's is a
convolution, ConvBERT joins other numbers to the product, DiffLlama subtracts one head from another. There the product
itself is zero, at the place in the run where it was seen; see ``products.py``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.products import Product, Products, products_zeroed
from pretrained.huggingface.recorded import BlockName, Head, RecordedBlock

Seen = TypeVar("Seen")
Projections = Mapping[tuple[BlockName, int], nn.Module]
"""The output projection of each layer of each block."""
Ways = Mapping[tuple[BlockName, int], nn.Module | Sequence[Product]]
"""Where the heads of each layer of each block are switched off: its output projection, or else the products with it."""


@dataclass
class Watched:
    """What was seen while a model read: attention maps, and the layer that took their product with the values."""

    products: Products
    pairs: list[tuple[Tensor, nn.Module]] = field(default_factory=list)

    def projections(self, blocks: Sequence[RecordedBlock], model_name: str) -> Projections:
        """Return the output projection of each layer of ``blocks``.

        Raises:
            ForeignModelError: a layer without one, or several that share one: then heads have no shares to add.
        """
        places = _places(blocks)
        known = self._own_projections(places)
        if len(known) < len(places):
            raise ForeignModelError("no sum", model=model_name)
        return known

    def ways_off(self, blocks: Sequence[RecordedBlock], model_name: str) -> Ways:
        """Return where the heads of each layer of ``blocks`` are switched off.

        Raises:
            ForeignModelError: a layer whose map is multiplied with nothing that was seen.
        """
        places = _places(blocks)
        known = self._own_projections(places)
        others = {place: self._products_of(layer) for place, layer in places.items() if place not in known}
        if not all(others.values()):
            raise ForeignModelError("no output projection", model=model_name)
        return {**known, **others}

    def _products_of(self, layer: Tensor) -> tuple[Product, ...]:
        """Return the products of the map ``layer``: DiffLlama multiplies it with both halves of the values."""
        one = _of_map(layer, self.products.of_maps)
        return tuple(
            product
            for pattern, product in self.products.of_maps
            if one and (product.module, product.call) == (one.module, one.call) and torch.equal(pattern, layer)
        )

    def _own_projections(self, places: Mapping[tuple[BlockName, int], Tensor]) -> Projections:
        """Return the projection of each place that has one for itself."""
        seen = {place: _of_map(layer, self.pairs) for place, layer in places.items()}
        projections = {place: module for place, module in seen.items() if module is not None}
        users = Counter(map(id, projections.values()))
        return {place: module for place, module in projections.items() if users[id(module)] == 1}


@contextmanager
def watched(model: nn.Module) -> Iterator[Watched]:
    """See which layers of ``model`` take products of attention maps and values as they are."""
    with Products.watched(model) as product, ExitStack() as stack:
        seen = Watched(product)

        def look(module: nn.Module, arguments: tuple[Any, ...]) -> None:
            z, first = product.result, product.first
            product.result = None
            if z is not None and first is not None and arguments and _passes_on(z, arguments[0]):
                seen.pairs.append((first, module))

        for module in _with_a_matrix(model):
            stack.callback(module.register_forward_pre_hook(look).remove)
        yield seen


def _of_map(layer: Tensor, seen: Sequence[tuple[Tensor, Seen]]) -> Seen | None:
    """Return what was ``seen`` with the map ``layer``, in the same memory, or else of the same numbers."""
    for is_map in (_is_in_place_of, torch.equal):
        for pattern, one in reversed(seen):
            if is_map(pattern, layer):
                return one
    return None


def _is_in_place_of(one: Tensor, other: Tensor) -> bool:
    return one.data_ptr() == other.data_ptr()


def _places(blocks: Sequence[RecordedBlock]) -> dict[tuple[BlockName, int], Tensor]:
    return {
        (block.name, number): layer
        for block in blocks
        for number, layer in zip(block.own_numbers, block.layers, strict=True)
    }


@contextmanager
def switched_off(
    model: nn.Module, ways: Ways, n_heads: Mapping[tuple[BlockName, int], int], off: Sequence[Head]
) -> Iterator[None]:
    """Have what the heads ``off`` pass on be zero, in every run of ``model``.

    Args:
        model: the one whose products were all watched.
        ways: what :meth:`Watched.ways_off` returned.
        n_heads: of each layer.
        off: the heads.
    """
    places: dict[tuple[BlockName, int], list[int]] = {}
    for head in off:
        places.setdefault((head.block, head.layer), []).append(head.head)
    products = {
        product: heads
        for place, heads in places.items()
        if not isinstance(way := ways[place], nn.Module)
        for product in way
    }
    with ExitStack() as stack:
        for place, heads in places.items():
            if isinstance(way := ways[place], nn.Module):
                hook = partial(_without, heads, n_heads[place])
                stack.callback(way.register_forward_pre_hook(hook).remove)
        if products:
            stack.enter_context(products_zeroed(model, products))
        yield


def _without(
    heads: Sequence[int], n_heads: int, _: nn.Module, arguments: tuple[Float[Tensor, "... d"], ...]
) -> tuple[Tensor, ...]:
    z, *rest = arguments
    by_head = z.unflatten(-1, (n_heads, -1)).clone()  # [..., head, d_head]
    by_head[..., list(heads), :] = 0
    return by_head.flatten(-2), *rest


def _with_a_matrix(model: nn.Module) -> Iterator[nn.Module]:
    for module in model.modules():
        weight = getattr(module, "weight", None)
        if isinstance(weight, Tensor) and weight.ndim == 2 and not isinstance(module, nn.Embedding):
            yield module


def _passes_on(z: Tensor, taken: Any) -> bool:
    """Return whether ``taken`` is ``z`` [batch × head, query, d_head], head beside head, or what a gate leaves of it.

    A gate, as in Qwen3-Next, takes a share of each number (Qiu et al. 2025, arXiv:2505.06708).
    """
    if not isinstance(taken, Tensor) or z.ndim < 3 or z.numel() != taken.numel():
        return False
    n_queries = z.shape[-2]
    by_query = z.reshape(-1, n_queries, z.shape[-1]).transpose(0, 1)  # [query, head, d_head], of one text
    whole, passed = by_query.reshape(n_queries, -1), taken.reshape(n_queries, -1)
    is_share = (passed.sign() == whole.sign()) & (passed.abs() < whole.abs())
    return torch.equal(whole, passed) or bool(is_share.all())
