"""The weights of a translator as the browser loads them."""

from collections.abc import Mapping

from safetensors.torch import save
from torch import Tensor

from pretrained.quantization import quantized


def site_weights(weights: Mapping[str, Tensor]) -> bytes:
    """Return ``weights`` as safetensors, with matrices in 8 bits as :func:`quantized` returns them.

    The engine reads a file in float16 too: what ships is one.
    """
    return save(quantized(weights))
