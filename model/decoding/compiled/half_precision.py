"""Weights in half precision, in which they ship: half as many bytes are read, and no number changes."""

import llvmlite.binding
import numpy as np
from jaxtyping import Float32, UInt16

Single = Float32[np.ndarray, "..."]
Stored = Single | UInt16[np.ndarray, "..."]
"""Numbers in single precision, or the bits of those in half precision."""


def stored(numbers: Single) -> Stored:
    """Return the bits of ``numbers`` in half precision, or ``numbers`` if any would change.

    They also stay as they are where the processor cannot read half precision (x86 before 2012).
    """
    reads_half = llvmlite.binding.get_host_cpu_features().get("f16c", True)
    with np.errstate(over="ignore"):  # too large a number changes to infinity
        half = numbers.astype(np.float16)
    return half.view(np.uint16) if reads_half and np.array_equal(half, numbers) else numbers


def as_single(numbers: Stored) -> Single:
    """Return ``numbers`` in single precision."""
    return numbers if numbers.dtype == np.float32 else numbers.view(np.float16).astype(np.float32)
