"""Transformer-XL: a causal decoder with a memory of earlier segments (Dai et al. 2019, §3).

The model is :class:`~model.architectures.decoder_only.DecoderOnly` with the encoding ``transformer_xl`` and a memory:
what each layer read in earlier segments, which its ``new_memory`` makes. Here is what reads texts with it, and what it
is compared with.
"""

from collections.abc import Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.attention import SegmentMemory


def read_segments(
    model: DecoderOnly,
    tokens: Int[Tensor, "batch position"],
    segment_length: int,
    memory: SegmentMemory,
) -> Iterator[Float[Tensor, "batch segment vocabulary"]]:
    """Yield the logits of each segment of ``tokens``; the last segment may be shorter.

    ``memory`` goes from one segment to the next.

    Raises:
        ValueError: segments of less than one token.
    """
    if segment_length < 1:
        raise ValueError(f"segment_length is {segment_length}; it must be at least 1")
    for segment in torch.split(tokens, segment_length, dim=1):
        yield model(segment, memory=memory)


def read_window(
    model: DecoderOnly, tokens: Int[Tensor, "batch position"], window: int
) -> Iterator[Float[Tensor, "batch vocabulary"]]:
    """Yield the logits after each token, each from a fresh reading of the last ``window`` tokens.

    A model without memory is evaluated in this way (§3.1, figure 1b).

    Raises:
        ValueError: a window of less than one token.
    """
    if window < 1:
        raise ValueError(f"window is {window}; it must be at least 1")
    for end in range(1, tokens.shape[1] + 1):
        yield model(tokens[:, max(0, end - window) : end])[:, -1]


def relative_shift(by_distance: Float[Tensor, "*batch query key"]) -> Float[Tensor, "*batch query key"]:
    """Return scores by key from scores by distance, in the paper's way (appendix B).

    Every row moves by one more place than the row below it. Column r of row i is for the key r − (Q − 1 − i) places
    from the first: distances run down from K − 1 on the left to 0 on the right, and the last row is in place already.
    What stands right of a row's own key has come round from the next row and means nothing: it must be masked.
    """
    *batch, queries, keys = by_distance.shape
    padded = torch.cat((by_distance.new_zeros(*batch, queries, 1), by_distance), dim=-1)  # [*B, Q, K + 1]
    return padded.reshape(*batch, keys + 1, queries)[..., 1:, :].reshape(*batch, queries, keys)  # [*B, Q, K]
