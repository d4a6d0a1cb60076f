"""What is known of how a model encodes positions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

Kind = Literal["table", "buckets", "rotary", "slopes"]


@dataclass(frozen=True)
class ForeignPositions:
    """One encoding of a model.

    Attributes:
        kind: a table of vectors that are added, T5's buckets, rotary frequencies, or ALiBi's slopes.
        place: where in the model; empty where it is the same everywhere.
        values: the table [position, d_model], the numbers of the buckets [bucket, head], the frequencies [pair] as they
            are used, or the slopes [head].
        plain: of rotary, the frequencies of the base before they are stretched.
        settings: numbers of the configuration that it needs besides.
        scaling: of rotary, what the configuration calls the way in which the frequencies are stretched.
    """

    kind: Kind
    place: str
    values: np.ndarray
    plain: np.ndarray | None = None
    settings: Mapping[str, float] = field(default_factory=dict)
    scaling: str = ""
