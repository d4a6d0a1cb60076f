"""The processes that train one model together, as ``torchrun`` starts them, or a single one."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Protocol, TypeVar, runtime_checkable

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from model.device import choose_device

Argument = TypeVar("Argument")
Result = TypeVar("Result")

# The other processes wait while the first one validates.
_TIMEOUT = timedelta(hours=2)


@runtime_checkable
class Processes(Protocol):
    """The ``n`` processes that a training loop runs in; this one has the number ``index``."""

    n: int
    index: int

    def synchronized(self, model: nn.Module, loss: Callable[[Argument], Result]) -> Callable[[Argument], Result]:
        """Return ``loss`` of ``model``, whose backward pass leaves the mean gradient in each process."""

    def total(self, *values: float) -> tuple[float, ...]:
        """Return the sum over all processes of each of ``values``."""

    def gathered(self, value: Result) -> list[Result]:
        """Return the ``value`` of each process, in their order."""

    def in_turn(self) -> Any:
        """Return a context that the first process enters and leaves before the others enter it."""


class SingleProcess:
    """One process without others."""

    n = 1
    index = 0

    def synchronized(self, model: nn.Module, loss: Callable[[Argument], Result]) -> Callable[[Argument], Result]:
        """Return ``loss``."""
        del model
        return loss

    def total(self, *values: float) -> tuple[float, ...]:
        """Return ``values``."""
        return values

    def gathered(self, value: Result) -> list[Result]:
        """Return ``value`` alone."""
        return [value]

    @contextmanager
    def in_turn(self) -> Iterator[None]:
        """Enter at once."""
        yield


ALONE = SingleProcess()


class DistributedProcesses:
    """One of several processes that share gradients (DistributedDataParallel, Li et al. 2020)."""

    def __init__(self, device: torch.device) -> None:
        """Join the process group, which exists, with values on ``device``."""
        self.n, self.index = dist.get_world_size(), dist.get_rank()
        self._device = device

    def synchronized(self, model: nn.Module, loss: Callable[[Argument], Result]) -> Callable[[Argument], Result]:
        """Return ``loss`` in a DistributedDataParallel of ``model``."""
        return DistributedDataParallel(_Loss(model, loss), broadcast_buffers=False)

    def total(self, *values: float) -> tuple[float, ...]:
        """Return the sums."""
        sums = torch.tensor(values, dtype=torch.float64, device=self._device)
        dist.all_reduce(sums)
        return tuple(sums.tolist())

    def gathered(self, value: Result) -> list[Result]:
        """Return the values."""
        values: list[Any] = [None] * self.n
        dist.all_gather_object(values, value)
        return values

    @contextmanager
    def in_turn(self) -> Iterator[None]:
        """Let the others wait until the first process is through."""
        if self.index:
            dist.barrier()
        try:
            yield
        finally:
            if not self.index:
                dist.barrier()


class _Loss(nn.Module):
    """A loss as the forward pass of a module, which DistributedDataParallel needs."""

    def __init__(self, model: nn.Module, loss: Callable[[Any], Any]) -> None:
        super().__init__()
        self.model = model
        self._loss = loss

    def forward(self, batch: Any) -> Any:
        return self._loss(batch)


def own_device(name: str | None = None) -> torch.device:
    """Return the device of this process: its own GPU, or that of ``choose_device``.

    Raises:
        ValueError: the named device is not available.
    """
    device = choose_device(name)
    if device.type == "cuda" and device.index is None and _n_started() > 1:
        return choose_device(f"cuda:{os.environ['LOCAL_RANK']}")
    return device


@contextmanager
def joined(device: torch.device) -> Iterator[Processes]:
    """Join the processes of ``torchrun`` for as long as the context lasts; compute on ``device``."""
    if _n_started() == 1:
        yield ALONE
        return
    dist.init_process_group("nccl" if device.type == "cuda" else "gloo", timeout=_TIMEOUT)
    try:
        yield DistributedProcesses(device)
    finally:
        dist.destroy_process_group()


def _n_started() -> int:
    return int(os.environ.get("WORLD_SIZE", "1"))
