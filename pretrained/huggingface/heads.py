"""Heads of any model of Transformers, switched off: what one passes on is zero before the output projection.

The projection is found by what it computes, not by its name. While the model reads a text, each product of an attention
map and the values is kept; the layer with a matrix whose input is exactly that product, head beside head, is the output
projection that belongs to the map. A gate may stand between them, which leaves a share of each number.

    z_h = pattern_h V_h,   output = [z_1, …, z_H] W_O          (Vaswani et al. 2017, section 3.2.2)
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.recorded import BlockName, Head, RecordedBlock

Found = TypeVar("Found")
Projections = Mapping[tuple[BlockName, int], nn.Module]
"""The output projection of each layer of each block."""

_PRODUCTS = {"matmul", "__matmul__", "bmm"}


@dataclass
class _Product(TorchFunctionMode):
    """Keeps the last product of two tensors: the first of them, and what came out."""

    first: Tensor | None = None
    result: Tensor | None = None

    def __post_init__(self) -> None:
        super().__init__()

    def __torch_function__(
        self, function: Callable[..., Any], types: Any, args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        result = function(*args, **(kwargs or {}))
        if getattr(function, "__name__", "") in _PRODUCTS and args:
            self.first, self.result = args[0], result
        return result


@dataclass
class Watched:
    """What was seen while a model read: attention maps, and the layer that took their product with the values."""

    pairs: list[tuple[Tensor, nn.Module]] = field(default_factory=list)

    def projections(self, blocks: Sequence[RecordedBlock], model_name: str) -> Projections:
        """Return the output projection of each layer of ``blocks``.

        Raises:
            ForeignModelError: a layer without one, or several layers that share one.
        """
        by_map = {pattern.data_ptr(): module for pattern, module in self.pairs}
        places = {
            (block.name, number): layer
            for block in blocks
            for number, layer in zip(block.own_numbers, block.layers, strict=True)
        }
        found = {place: by_map.get(layer.data_ptr()) for place, layer in places.items()}
        known = {place: module for place, module in found.items() if module is not None}
        if len(known) < len(found):
            raise ForeignModelError("no output projection", model=model_name)
        if len({*map(id, known.values())}) < len(known):
            raise ForeignModelError("shared layers", model=model_name)
        return known


@contextmanager
def watched(model: nn.Module) -> Iterator[Watched]:
    """See which layers of ``model`` take products of attention maps and values as they are."""
    found, product = Watched(), _Product()

    def look(module: nn.Module, given: tuple[Any, ...]) -> None:
        z, first = product.result, product.first
        product.result = None
        if z is not None and first is not None and given and _passes_on(z, given[0]):
            found.pairs.append((first, module))

    with ExitStack() as stack:
        for module in _with_a_matrix(model):
            stack.callback(module.register_forward_pre_hook(look).remove)
        stack.enter_context(product)
        yield found


@contextmanager
def switched_off(
    projections: Projections, n_heads: Mapping[tuple[BlockName, int], int], off: Sequence[Head]
) -> Iterator[None]:
    """Have what the heads ``off`` pass on be zero, in every run of the model.

    Args:
        projections: what :meth:`Watched.projections` returned.
        n_heads: of each layer.
        off: the heads.
    """
    places: dict[tuple[BlockName, int], list[int]] = {}
    for head in off:
        places.setdefault((head.block, head.layer), []).append(head.head)
    with ExitStack() as stack:
        for place, heads in places.items():
            hook = partial(_without, heads, n_heads[place])
            stack.callback(projections[place].register_forward_pre_hook(hook).remove)
        yield


def _without(
    heads: Sequence[int], n_heads: int, _: nn.Module, given: tuple[Float[Tensor, "... d"], ...]
) -> tuple[Tensor, ...]:
    z, *rest = given
    by_head = z.unflatten(-1, (n_heads, -1)).clone()  # [..., head, d_head]
    by_head[..., list(heads), :] = 0
    return by_head.flatten(-2), *rest


def _with_a_matrix(model: nn.Module) -> Iterator[nn.Module]:
    for module in model.modules():
        weight = getattr(module, "weight", None)
        if isinstance(weight, Tensor) and weight.ndim == 2 and not isinstance(module, nn.Embedding):
            yield module


def _passes_on(z: Tensor, given: Any) -> bool:
    """Return whether ``given`` is ``z`` [batch × head, query, d_head], head beside head, or what a gate leaves of it.

    A gate, as in Qwen3-Next, takes a share of each number (Qiu et al. 2025, arXiv:2505.06708).
    """
    if not isinstance(given, Tensor) or z.ndim < 3 or z.numel() != given.numel():
        return False
    n_queries = z.shape[-2]
    by_query = z.reshape(-1, n_queries, z.shape[-1]).transpose(0, 1)  # [query, head, d_head], of one text
    whole, passed = by_query.reshape(n_queries, -1), given.reshape(n_queries, -1)
    is_share = (passed.sign() == whole.sign()) & (passed.abs() < whole.abs())
    return torch.equal(whole, passed) or bool(is_share.all())
