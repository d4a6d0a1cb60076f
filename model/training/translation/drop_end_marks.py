"""Drops the marks at the end of some training pairs: a sentence that is still being typed has none.

Every sentence of a corpus has its mark, and a model that has seen no other waits for the rest of such a sentence.
"""

import random
import re
from collections.abc import Iterable

from model.data.loading import Pair

# East Asian marks are written by their code points, because they look like others.
END_MARKS = re.compile(r"[.!?…\u3002\uff01\uff1f\s]*$")
"""The marks that end a sentence, and the spaces among them; empty where it has none."""


def drop_end_marks(pairs: Iterable[Pair], share: float, seed: int) -> list[Pair]:
    """Return ``pairs`` in their order, a ``share`` of them without the marks at the end of both sides."""
    rng = random.Random(f"end marks {seed}")
    return [_without_marks(pair) if rng.random() < share else pair for pair in pairs]


def _without_marks(pair: Pair) -> Pair:
    """Return ``pair`` without its end marks; unchanged where one side has none, or nothing else."""
    source, target = (END_MARKS.sub("", side, count=1) for side in (pair.source, pair.target))
    return Pair(source, target) if source and target and source != pair.source and target != pair.target else pair
