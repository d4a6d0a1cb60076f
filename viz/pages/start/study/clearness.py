"""Which head, and which written word, shows most clearly what attention reads."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float32

from viz.base.attention_maps import AttentionKind
from viz.base.tokens import n_columns
from viz.pages.start.study.records import TranslationToken

_CONTENT_COLUMNS = 4


def resting_step(cross: AttentionKind, written: Sequence[TranslationToken]) -> int:
    """Return the step of the content word with the clearest source word; the last step without one.

    A content word is one of four letters or more, or of two East Asian characters; the weight is the mean of all heads
    of the last layer, which is what the page shades.
    """
    words = [index for index, label in enumerate(cross.keys.labels) if label.isalpha()]
    steps = [
        index
        for index, token in enumerate(written)
        if token.label.isalpha() and n_columns(token.label) >= _CONTENT_COLUMNS
    ]
    if not words or not steps:
        return len(written) - 1
    clearness = cross.weights[-1].mean(axis=0)[:, words].max(axis=1)  # [Q]
    return max(steps, key=lambda step: clearness[step])


def clearness(kind: AttentionKind) -> Float32[np.ndarray, "layer head"]:
    """Return how clearly each head separates tokens: the mean over keys of their largest weight.

    It is 1 where every key is all that some query reads, and 1/keys where every query reads all of them alike, or where
    all read the same one.
    """
    shares: Float32[np.ndarray, "layer head"] = kind.weights.max(axis=2).mean(axis=2)
    return shares
