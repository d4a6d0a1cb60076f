"""From maps between pieces to maps between words."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float32

Span = tuple[int, int]


def by_words(
    weights: Float32[np.ndarray, "*maps query key"], query_spans: Sequence[Span], key_spans: Sequence[Span]
) -> Float32[np.ndarray, "*maps query_word key_word"]:
    """Return maps between words: what a word receives is summed over its pieces, what it gives is their mean.

    A row that sums to 1 before sums to 1 after. Spans ``(start, end)`` cover all pieces in order, none of them empty.
    """
    received = np.add.reduceat(weights, [start for start, _ in key_spans], axis=-1)  # [..., query, key_word]
    given = np.add.reduceat(received, [start for start, _ in query_spans], axis=-2)  # [..., query_word, key_word]
    n_pieces = np.array([end - start for start, end in query_spans], dtype=np.float32)
    return given / n_pieces[:, None]
