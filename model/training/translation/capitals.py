"""Writes some training pairs in capitals: a corpus has hardly a sentence so, and people type them."""

import random
from collections.abc import Iterable

from model.data.loading import Pair


def write_capitals(pairs: Iterable[Pair], share: float, seed: int) -> list[Pair]:
    """Return ``pairs`` in their order, a ``share`` of them in capitals on both sides."""
    rng = random.Random(f"capitals {seed}")
    return [Pair(pair.source.upper(), pair.target.upper()) if rng.random() < share else pair for pair in pairs]
