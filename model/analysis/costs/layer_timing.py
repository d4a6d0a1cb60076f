"""Time one layer of each kind: ``python -m model.analysis.costs.layer_timing --vary n``.

Every measurement is written as a line of JSON to the standard output or the file ``--out``.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from model.analysis.costs.layer_cost import LAYER_KINDS, LayerKind, Sizes

Axis = Literal["n", "d"]

STEPS: dict[Axis, tuple[int, ...]] = {"n": (128, 256, 512, 1024, 2048, 4096), "d": (32, 64, 128, 256, 512, 1024)}
"""The timed values of each varied size."""

# A dilated convolution does the same work as an ordinary one.
TIMED = tuple(kind for kind in LAYER_KINDS if kind.name != "dilated convolution")


@dataclass(frozen=True)
class Timing:
    """The median time of one layer in milliseconds, over ``repetitions`` runs."""

    kind: str
    n: int
    d: int
    k: int
    r: int
    milliseconds: float
    repetitions: int


def measure(kind: LayerKind, sizes: Sizes, *, repetitions: int) -> Timing:
    """Return the median time of a forward pass of one layer, after a warm-up."""
    torch.manual_seed(0)
    layer, x = kind.build(sizes), torch.randn(sizes.n, sizes.d)
    durations = []
    with torch.inference_mode():
        layer(x)
        for _ in range(repetitions):
            start = time.perf_counter()
            layer(x)
            durations.append(1000 * (time.perf_counter() - start))
    return Timing(kind.name, **asdict(sizes), milliseconds=statistics.median(durations), repetitions=repetitions)


def sweep(sizes: Sizes, vary: Axis, *, repetitions: int) -> Iterator[Timing]:
    """Yield the timing of every kind at every size of ``vary``, in ascending order."""
    for step in STEPS[vary]:
        for kind in TIMED:
            yield measure(kind, replace(sizes, **{vary: step}), repetitions=repetitions)


def fitted_exponent(sizes: Sequence[int], milliseconds: Sequence[float]) -> float:
    """Return b of the power law a·sizeᵇ, fitted to the larger half of the sizes.

    Fixed costs are negligible there.

    Raises:
        ValueError: fewer than two sizes.
    """
    if len(sizes) < 2:
        raise ValueError(f"a power law needs at least 2 sizes; {len(sizes)} were given")
    upper = max(2, (len(sizes) + 1) // 2)
    slope, _ = np.polyfit(np.log(sizes[-upper:]), np.log(milliseconds[-upper:]), 1)
    return float(slope)


def machine() -> str:
    """Return the name of the processor, if the system knows it, and the number of threads used."""
    cpu_info = Path("/proc/cpuinfo")
    lines = cpu_info.read_text(encoding="utf-8").splitlines() if cpu_info.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = names[0] if names else platform.processor() or platform.machine()
    threads = torch.get_num_threads()
    return f"{processor}, {threads} thread{'' if threads == 1 else 's'}, PyTorch {torch.__version__}"


def main(arguments: list[str] | None = None) -> int:
    """Run the command with ``arguments``; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m model.analysis.costs.layer_timing", description="Time one layer of each kind."
    )
    parser.add_argument("--vary", choices=tuple(STEPS), default="n")
    for name, default in (("n", 512), ("d", 64), ("k", 3), ("r", 32), ("repetitions", 5), ("threads", 1), ("nice", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--out", type=Path, help="file to write to, emptied first (default: standard output)")
    args = parser.parse_args(arguments)
    try:
        sizes = Sizes(args.n, args.d, args.k, args.r)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    torch.set_num_threads(args.threads)
    if args.nice and hasattr(os, "nice"):  # not on Windows
        os.nice(args.nice)
    with args.out.open("w", encoding="utf-8") if args.out else sys.stdout as out:
        timings = map(asdict, sweep(sizes, args.vary, repetitions=args.repetitions))
        for entry in chain([{"machine": machine()}], timings):
            out.write(json.dumps(entry) + "\n")
            out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
