"""Products with a matrix kept in half precision, as it ships: half the memory is read, and no number changes."""

from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float32

Product = Callable[[Float32[np.ndarray, "row d_model"]], Float32[np.ndarray, "row out"]]


def as_stored(matrix: Float32[np.ndarray, "out d_model"]) -> Product:
    """Return x ↦ x·matrixᵀ, whose products and sums are in single precision.

    The matrix is kept in half precision where it was stored so, that is if none of its numbers would change, and where
    the processor has a product for it (FBGEMM's, on x86).
    """
    stored = torch.from_numpy(matrix)
    if "fbgemm" in torch.backends.quantized.supported_engines and torch.equal(stored.half().float(), stored):
        packed = torch.ops.quantized.linear_prepack_fp16(stored, None)
        return lambda x: torch.ops.quantized.linear_dynamic_fp16(torch.from_numpy(x), packed).numpy()
    transposed = np.ascontiguousarray(matrix.T)
    return lambda x: x @ transposed
