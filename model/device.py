"""Which device to compute on, and in how many threads."""

import torch
from threadpoolctl import threadpool_limits


def choose_device(asked: str | None = None) -> torch.device:
    """Return the device ``asked`` for, or else CUDA where there is one, else MPS, else the CPU.

    Raises:
        ValueError: the device asked for is not there.
    """
    available = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if asked is None:
        return torch.device(next(kind for kind, there in available.items() if there))
    kind = asked.split(":")[0]
    if not available.get(kind, False):
        there = ", ".join(kind for kind, is_there in available.items() if is_there)
        raise ValueError(f"the device {asked!r} is not available on this machine; there is {there}")
    try:
        device = torch.device(asked)
    except RuntimeError as error:
        raise ValueError(f"{asked!r} is no device; ask for cuda, cuda:0, mps or cpu") from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise ValueError(f"the device {asked!r} is not available on this machine; it has {torch.cuda.device_count()}")
    return device


def use_one_thread() -> None:
    """Compute in the calling thread alone from now on, in PyTorch and in NumPy.

    The products of small models are too small to be shared between threads; and where another process keeps a core
    busy, threads wait for each other, and a product takes many times as long.
    """
    torch.set_num_threads(1)
    threadpool_limits(limits=1, user_api="blas")
