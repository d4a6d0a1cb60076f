"""Which device to compute on, and in how many threads."""

from pathlib import Path

import torch
from threadpoolctl import ThreadpoolController

_MAPPED = Path("/proc/self/maps")


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
    _Libraries().limit(limits=1, user_api="blas")


class _Libraries(ThreadpoolController):  # type: ignore[misc]  # threadpoolctl has no types
    """The libraries that this process has loaded, on Linux as its memory map lists them.

    threadpoolctl asks the loader of libraries, which holds a lock while Python code looks at each. If another
    thread imports a compiled module, it holds Python's own lock and waits for the loader's: a deadlock.
    """

    def _load_libraries(self) -> None:
        if not _MAPPED.is_file():
            super()._load_libraries()
            return
        fields = (line.split(maxsplit=5) for line in _MAPPED.read_text(encoding="utf-8", errors="replace").splitlines())
        for path in dict.fromkeys(entry[5] for entry in fields if len(entry) == 6 and ".so" in entry[5]):
            self._make_controller_from_path(path)
