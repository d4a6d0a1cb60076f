"""Which device to compute on, and in how many threads."""

import torch
from threadpoolctl import threadpool_limits


def choose_device(name: str | None = None) -> torch.device:
    """Return the device ``name``, or without one CUDA where it is available, else MPS, else the CPU.

    Raises:
        ValueError: the named device is not available.
    """
    available = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if name is None:
        return torch.device(next(kind for kind, is_available in available.items() if is_available))
    kind = name.split(":")[0]
    if not available.get(kind, False):
        known = ", ".join(kind for kind, is_available in available.items() if is_available)
        raise ValueError(f"the device {name!r} is not available on this machine; there is {known}")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ValueError(f"{name!r} is no device; ask for cuda, cuda:0, mps or cpu") from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise ValueError(f"the device {name!r} is not available on this machine; it has {torch.cuda.device_count()}")
    return device


def use_one_thread() -> None:
    """Compute in the calling thread alone from now on, in PyTorch and in NumPy.

    The products of small models are too small to be shared between threads; and where another process keeps a core
    busy, threads wait for each other, and a product takes many times as long.
    """
    torch.set_num_threads(1)
    threadpool_limits(limits=1, user_api="blas")
