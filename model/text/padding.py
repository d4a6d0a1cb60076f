"""Sequences of different lengths as one tensor."""

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from model.text.tokenizer import PAD_ID


def pad(sequences: Sequence[Sequence[int]], pad_id: int = PAD_ID) -> Int[Tensor, "batch position"]:
    """Return ``sequences`` as one tensor, padded on the right with ``pad_id``, the tokenizer's by default."""
    padded = np.full((len(sequences), max(map(len, sequences))), pad_id, dtype=np.int64)
    for row, sequence in zip(padded, sequences, strict=True):
        row[: len(sequence)] = sequence
    return torch.from_numpy(padded)
