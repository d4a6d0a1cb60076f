"""Which layer of a model an attention map is of, where other layers have none: Jamba, Granite 4, Qwen3-Next."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from torch import Tensor, nn

from pretrained.huggingface.weights import layer_of


@contextmanager
def layers_seen(model: nn.Module) -> Iterator[Mapping[int, int]]:
    """See which layer of ``model`` hands out which map, as the address of its numbers and the layer's number."""
    seen: dict[int, int] = {}

    def look(number: int, _: nn.Module, __: Any, output: Any) -> None:
        for one in output if isinstance(output, tuple | list) else ():
            if isinstance(one, Tensor) and one.ndim == 4:
                seen[one.data_ptr()] = number

    with ExitStack() as stack:
        for name, module in model.named_modules():
            place = layer_of(f"{name}.")
            if place:
                stack.callback(module.register_forward_hook(partial(look, place[1])).remove)
        yield seen


def own_numbers(layers: Sequence[Tensor], seen: Mapping[int, int]) -> tuple[int, ...]:
    """Return the number of each of ``layers`` in the model, from 0; nothing where they count through.

    Nor where they are not known: the modules of some models have other names, or are used by several layers.
    """
    numbers = [seen.get(layer.data_ptr(), -1) for layer in layers]
    is_known = all(number > before for before, number in zip([-1, *numbers], numbers, strict=False))
    return tuple(numbers) if is_known and numbers != [*range(len(numbers))] else ()
