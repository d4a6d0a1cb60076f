"""Random numbers of one thread alone, whatever the rest of the process draws."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode


class OwnNumbers(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A context in which PyTorch draws the numbers that ``torch.manual_seed(seed)`` leads to.

    PyTorch has one generator for all threads. Seeding it changes what the others draw, and they draw from it between
    the seed and the last weight. In this context it is left alone; a generator that a caller gives is used as ever.
    """

    def __init__(self, seed: int) -> None:
        """Begin with the numbers of ``seed``."""
        super().__init__()  # type: ignore[no-untyped-call]
        self._rng = torch.Generator().manual_seed(seed)

    def __torch_dispatch__(
        self, func: OpOverload, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Run ``func``, with the context's own generator where it draws and is given none."""
        options = kwargs or {}
        if torch.Tag.nondeterministic_seeded not in func.tags or options.get("generator") is not None:
            return func(*args, **options)
        takes_generator = any(argument.name == "generator" for argument in func._schema.arguments)
        drawing = func if takes_generator else func.overloadpacket.generator
        return drawing(*args, **{**options, "generator": self._rng})
