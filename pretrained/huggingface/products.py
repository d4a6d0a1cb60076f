"""Products of attention maps and values in a run of any model: where each is computed, and a run in which it is zero.

A product is known by the module that computes it, by which call of that module it is in the run (layers that share
their weights are one module), and by its number in that call.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

_MULTIPLIES = {"matmul", "__matmul__", "bmm"}
_EINSUM = "einsum"
# A softmax in float32 may end a little above 1.
_MOST_OF_A_ROW = 1.001


@dataclass(frozen=True)
class Product:
    """A product in a run: its module, the call of that in the run, its number in the call, and the axis of heads."""

    module: nn.Module
    call: int
    number: int
    axis: int


@dataclass
class _Calls:
    """The modules that are running, the innermost last, each with its call and the products that it has computed."""

    running: list[list[Any]] = field(default_factory=list)
    counts: Counter[int] = field(default_factory=Counter)

    @contextmanager
    def watching(self, model: nn.Module) -> Iterator[None]:
        """Follow the calls of the modules in ``model``."""
        with ExitStack() as stack:
            for module in model.modules():
                stack.callback(module.register_forward_pre_hook(self._begin).remove)
                stack.callback(module.register_forward_hook(self._end, always_call=True).remove)
            yield

    def next_product(self, axis: int) -> Product | None:
        """Return where the product is that is computed now; None outside of all modules."""
        if not self.running:
            return None
        module, call, number = self.running[-1]
        self.running[-1][2] += 1
        return Product(module, call, number, axis)

    def _begin(self, module: nn.Module, _: Any) -> None:
        if not self.running:
            self.counts.clear()
        self.running.append([module, self.counts[id(module)], 0])
        self.counts[id(module)] += 1

    def _end(self, *_: Any) -> None:
        self.running.pop()


class Products(TorchFunctionMode):
    """The products of a run: the last one, what its first factor was and what came out; and those of attention maps."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__()
        self.first: Tensor | None = None
        self.result: Tensor | None = None
        self.of_maps: list[tuple[Tensor, Product]] = []
        self._calls = _Calls()

    @classmethod
    @contextmanager
    def watched(cls, model: nn.Module) -> Iterator["Products"]:
        """See the products that ``model`` computes."""
        products = cls()
        with products._calls.watching(model), products:
            yield products

    def __torch_function__(
        self, function: Callable[..., Any], types: Any, args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """Keep what ``function`` does where it multiplies."""
        result = function(*args, **(kwargs or {}))
        factor = _first_factor(function, args)
        if factor is not None:
            # Whatever multiplies counts, so that a product keeps its number.
            product = self._calls.next_product(_axis_of_heads(function, args, result))
            self.first, self.result = factor, result if function.__name__ != _EINSUM else None
            if product is not None and _may_be_map(factor):
                self.of_maps.append((factor, product))
        return result


@contextmanager
def products_zeroed(model: nn.Module, heads: Mapping[Product, Sequence[int]]) -> Iterator[None]:
    """Have the products of some ``heads`` be zero, in every run of ``model``."""
    calls = _Calls()
    with calls.watching(model), _Zeroing(calls, heads):
        yield


class _Zeroing(TorchFunctionMode):
    def __init__(self, calls: _Calls, heads: Mapping[Product, Sequence[int]]) -> None:
        super().__init__()
        self._calls, self._heads = calls, heads

    def __torch_function__(
        self, function: Callable[..., Any], types: Any, args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        result = function(*args, **(kwargs or {}))
        if _first_factor(function, args) is None:
            return result
        product = self._calls.next_product(_axis_of_heads(function, args, result))
        heads = self._heads.get(product) if product else None
        if not heads or product is None:
            return result
        return result.index_fill(product.axis, torch.tensor([*heads], device=result.device), 0)


def _first_factor(function: Callable[..., Any], args: Sequence[Any]) -> Tensor | None:
    name = getattr(function, "__name__", "")
    factors = args[1:] if name == _EINSUM else args if name in _MULTIPLIES else ()
    return factors[0] if len(factors) > 1 and all(isinstance(one, Tensor) for one in factors[:2]) else None


def _axis_of_heads(function: Callable[..., Any], args: Sequence[Any], result: Tensor) -> int:
    """Return the axis of ``result`` along which the heads of a map and of the values lie, of one text."""
    if function.__name__ != _EINSUM:
        return max(result.ndim - 3, 0)
    factors, _, letters = str(args[0]).replace(" ", "").partition("->")
    first, _, second = factors.partition(",")
    shared = [letter for letter in letters if letter in first and letter in second]
    # Beside the heads there is the text, which is one.
    return letters.index(max(shared, key=lambda letter: result.shape[letters.index(letter)])) if shared else 0


def _may_be_map(factor: Tensor) -> bool:
    if factor.ndim not in (3, 4) or not factor.is_floating_point():
        return False
    return bool((factor >= 0).all()) and bool((factor.sum(dim=-1) <= _MOST_OF_A_ROW).all())
