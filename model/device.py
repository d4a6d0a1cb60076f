"""Which device to compute on, and in which precision."""

import time
from functools import cache

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


@cache
def bfloat16_pays(device: torch.device) -> bool:
    """Return whether matrix products in bfloat16 are clearly faster than in float32 on ``device``, by trying both once.

    CPUs without bfloat16 instructions emulate them, several times slower than float32.
    """
    return _seconds_of_product(torch.bfloat16, device) < 0.8 * _seconds_of_product(torch.float32, device)


def use_one_thread() -> None:
    """Compute in the calling thread alone from now on, in PyTorch and in NumPy.

    Of the small products here, threads share out so little that they cost more than they bring; where another process
    keeps a core busy they wait for each other, and a product takes many times as long.
    """
    torch.set_num_threads(1)
    threadpool_limits(limits=1, user_api="blas")


def _seconds_of_product(dtype: torch.dtype, device: torch.device) -> float:
    a = torch.ones(1024, 256, dtype=dtype, device=device)
    b = torch.ones(256, 1024, dtype=dtype, device=device)
    fastest = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        (a @ b)[0, 0].item()  # .item() waits for the device
        fastest = min(fastest, time.perf_counter() - start)
    return fastest
