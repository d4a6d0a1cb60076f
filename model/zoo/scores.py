"""What a model of the zoo is worth past its training: one number from the lengths that were measured."""

from collections.abc import Mapping, Sequence

import numpy as np


def mean_over(wanted: Sequence[int], measured: Mapping[int, float]) -> float | None:
    """Return the mean over the ``wanted`` lengths of what was ``measured`` by length, None if it does not reach as far.

    Lengths up to the trained ones are no part of it: before the first one measured past them, that one's value holds.
    """
    beyond = sorted(length for length in measured if length >= wanted[0])
    if not beyond or beyond[-1] < wanted[-1]:
        return None
    return float(np.interp(wanted, beyond, [measured[length] for length in beyond]).mean())
