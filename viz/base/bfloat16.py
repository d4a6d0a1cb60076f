"""Conversion of bfloat16 numbers, a type that NumPy does not have.

NumPy holds them as two opaque bytes or as 16-bit integers.
"""

import numpy as np

# A weight of 1, and the number above it: the last that rounding makes of one.
_MOST = 0x3F81


def in_full(array: np.ndarray) -> np.ndarray:
    """Return ``array``, in float32 where it is of bfloat16.

    JAX saves that as two bytes without a meaning. Whole numbers of 16 bits are it where they are maps with numbers
    above 1: none says more than a weight of 1 does.
    """
    is_void = array.dtype.kind == "V" and array.dtype.itemsize == 2 and array.dtype.names is None
    is_whole = array.dtype == np.uint16 and array.ndim > 2 and array.size > 0 and 1 < array.max() <= _MOST
    return bfloat16_in_full(np.ascontiguousarray(array).view(np.uint16)) if is_void or is_whole else array


def bfloat16_in_full(halves: np.ndarray) -> np.ndarray:
    """Return bfloat16 numbers, given as 16-bit integers, as float32.

    They are the upper half of the bits of a float32.
    """
    return (halves.astype(np.uint32) << np.uint32(16)).view(np.float32)
