"""Effect of an edit of a trained zoo model on its cliff: the edit, and the most affected length."""

import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from model.analysis.interventions.edited_models import (
    log_length_factor,
    scaled_logits,
    with_encoding,
    with_shifted_start,
)
from model.architectures.decoder_only import DecoderOnly
from model.positional import PositionalConfig
from model.tasks import Task, row_of, vocabulary_of
from model.zoo.data import held_out_rows
from model.zoo.evaluate import measure

N_INPUTS = 50
"""Held-out inputs that are answered at each length."""

MIN_CHANGE = 0.05
"""Exact match that is not told apart by so few inputs."""

_MIN_INPUTS = 20


@dataclass(frozen=True)
class Edits:
    """An edit: the encoding of positions, the factor of the logits, and the shift of the start.

    With ``grows``, the logits are multiplied by
    :func:`~model.analysis.interventions.edited_models.log_length_factor` as well.
    """

    encoding: PositionalConfig
    tau: float = 1.0
    shift: int = 0
    grows: bool = False

    def changes(self, model: DecoderOnly) -> bool:
        """Whether anything of ``model`` is changed."""
        return self != Edits(model.config.positional)

    def tau_at(self, length: int, longest_trained: int) -> float:
        """Return what multiplies the logits over an input of ``length``."""
        return self.tau * (log_length_factor(length, longest_trained) if self.grows else 1.0)

    def applied(self, model: DecoderOnly) -> DecoderOnly:
        """Return ``model`` with the other encoding and start; raises ValueError if it cannot have them."""
        changed = with_encoding(model, self.encoding)
        return with_shifted_start(changed, self.shift) if self.shift else changed


@dataclass(frozen=True)
class Point:
    """Exact match, of 1, on ``n`` inputs."""

    exact_match: float
    n: int


@dataclass(frozen=True)
class LargestChange:
    """The most affected length, and exact match there before and after."""

    length: int
    before: Point
    after: Point


def answer(changed: DecoderOnly, tau: float, task: Task, length: int) -> Point:
    """Return how many inputs of ``length`` the ``changed`` model answers, with logits scaled by ``tau``.

    The inputs are the first of those that the zoo itself was measured on; there may be fewer than asked for.

    Raises:
        ValueError: positions that the encoding does not have, or a ``tau`` that is not above 0.
    """
    rows = held_out_rows(task, length, N_INPUTS)
    with scaled_logits(tau):
        measured = measure(changed, rows, length)
    return Point(measured.exact_match, measured.n)


def moved_most(before: Mapping[int, Point], after: Mapping[int, Point]) -> LargestChange | None:
    """Return the shortest length with the largest change of exact match; None without a clear change.

    A length with few inputs is left out where others have more: two inputs make any change a large one.
    """
    there = [length for length in before if length in after]
    if not there:
        return None
    lengths = [length for length in there if after[length].n >= _MIN_INPUTS] or there
    best = max(lengths, key=lambda length: abs(after[length].exact_match - before[length].exact_match))
    if abs(after[best].exact_match - before[best].exact_match) <= MIN_CHANGE:
        return None
    return LargestChange(best, before[best], after[best])


def mean_beyond(cliff: Mapping[int, Point], lengths: Iterable[int], longest_trained: int) -> float:
    """Return the mean exact match over those of ``lengths`` that no training had; NaN if there are none."""
    values = [cliff[length].exact_match for length in lengths if length > longest_trained]
    return sum(values) / len(values) if values else math.nan


def trained_positions(task: Task) -> int:
    """Return the number of positions in the longest trained rows of ``task``.

    YaRN calls it the original length.
    """
    longest = task.description.train_lengths[1]
    row = row_of(task, vocabulary_of(task), task.draw(longest, random.Random(0)))
    return len(row.ids) if row.positions is None else max(row.positions) + 1
