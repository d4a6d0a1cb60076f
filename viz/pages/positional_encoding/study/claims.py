"""Four claims about the sinusoidal encoding, measured on the encoding itself.

Vaswani et al. 2017, section 3.5.

Every study is computed from :func:`model.positional.sinusoidal.sinusoidal_encoding`, and its verdict from its arrays.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float, Float32

from model.positional.angles import geometric_frequencies
from model.positional.sinusoidal import sinusoidal_encoding

APART = (1, 10, 100)
"""How many positions apart encodings are compared."""
SMALL_WIDTHS = (2, 4, 8)
"""Codes of so few dimensions that positions come close to each other again."""
BEYOND = 4
"""How many times the trained length is measured."""
NEW_BY = 0.01
"""A value counts as new where it leaves the trained range by more than this; all values lie within ±1."""
ALIKE_WITHIN = 0.01
"""Two codes that differ by less than this share of their length count as a repetition."""
D_MODEL, BASE, LENGTH, POSITION = 128, 10000.0, 256, 200
"""The settings that the page opens on; POSITION is the one that is looked at."""
_STEADY = 1e-3
_STEP_UP = 10.0
_BASES = np.geomspace(1.01, 1e7, 141)

Encoding = Float32[np.ndarray, "position d_model"]
Curve = Float[np.ndarray, " x"]


@dataclass(frozen=True)
class Neighbours:
    """‖PE(p+k) − PE(p)‖ for every p: ``steps[k]`` by the offset k, and the formula's value.

    ``expected`` is √Σ 4 sin²(ω_i / 2), the step for k = 1, in which p does not occur.
    """

    steps: dict[int, Curve]
    expected: float

    @property
    def spread(self) -> float:
        """The variation of the step to the next position, as a share of its mean."""
        steps = self.steps[1]
        return float((steps.max() - steps.min()) / steps.mean())

    @property
    def verdict(self) -> Literal["false", "true", "mixed"]:
        """Whether late positions are closer to their neighbours: true if the step falls by half or more.

        The last step is compared with the first one.
        """
        if self.spread <= _STEADY:
            return "false"
        return "true" if self.steps[1][-1] < self.steps[1][0] / 2 else "mixed"


@dataclass(frozen=True)
class Bases:
    """‖PE(p+k) − PE(p)‖ against the base, by k; and the same at the chosen base and at ten times that."""

    bases: Curve
    distances: dict[int, Curve]
    base: float
    before: dict[int, float]
    after: dict[int, float]

    @property
    def larger_base(self) -> float:
        """The base that ``after`` is measured at."""
        return self.base * _STEP_UP

    @property
    def verdict(self) -> Literal["same", "true", "false", "mixed"]:
        """Whether the larger base sets positions further apart: at every k, at none, or at some."""
        change = np.array([self.after[k] / self.before[k] - 1 for k in self.before])
        if (np.abs(change) <= _STEADY).all():
            return "same"
        if (change > 0).all():
            return "true"
        return "false" if (change <= 0).all() else "mixed"


@dataclass(frozen=True)
class Repeats:
    """Distances to other positions; ``nearest[d_model]`` is the smallest up to k positions away.

    ``distances`` is ‖PE(k) − PE(0)‖ of the chosen d_model for k from 1; ``equal`` counts the positions whose code,
    rounded to that number format, another position has too: the finished code, or with "angle" already position,
    frequency and their product in bfloat16.
    """

    distances: Curve
    nearest: dict[int, Curve]
    norm: float
    equal: dict[str, int]

    @property
    def closest(self) -> int:
        """The distance between the two positions with the most similar codes."""
        return int(self.distances.argmin()) + 1

    @property
    def smallest(self) -> float:
        """The distance between those two."""
        return float(self.distances.min())

    @property
    def verdict(self) -> Literal["false", "closer", "true"]:
        """Whether all positions differ: "false" if two coincide, "closer" if a far one beats the neighbour."""
        if self.equal["float32"] or self.smallest < ALIKE_WITHIN * self.norm:
            return "false"
        return "closer" if self.closest > 1 else "true"


@dataclass(frozen=True)
class Beyond:
    """Positions past a trained length: the share of dimensions outside their trained range at each.

    ``nearest_trained`` is, for each position past the length, the distance to the most similar trained code.
    """

    length: int
    share_outside: Curve
    share_of_dimensions_outside: float
    nearest_trained: Curve
    step: float
    n_pairs: int
    n_slow_pairs: int

    @property
    def verdict(self) -> Literal["false", "partly", "true"]:
        """Whether nothing is new: false if values are; partly if only their combinations are."""
        if self.share_of_dimensions_outside > 0:
            return "false"
        return "partly" if self.nearest_trained.max() > self.step else "true"


BFLOAT16_WHOLE = 256
"""Up to here bfloat16, which keeps 8 bits of a number, has every whole one."""


def encode(d_model: int, base: float, length: int) -> Encoding:
    """Return PE(p, ·) for p from 0 to ``length`` − 1.

    Raises:
        ValueError: ``d_model`` is not even and positive, or ``base`` is not above 1.
    """
    return sinusoidal_encoding(torch.arange(length), d_model, base).numpy()


def study_neighbours(encoding: Encoding, base: float, apart: Sequence[int]) -> Neighbours:
    """Measure ‖PE(p+k) − PE(p)‖ at every position, for k = 1 and each k of ``apart`` that fits."""
    length, d_model = encoding.shape
    steps = {k: np.linalg.norm(encoding[k:] - encoding[:-k], axis=1) for k in (1, *apart) if k < length}
    frequencies = geometric_frequencies(d_model, base).numpy()
    return Neighbours(steps, float(np.sqrt((4 * np.sin(frequencies / 2) ** 2).sum())))


def study_bases(d_model: int, base: float, apart: Sequence[int]) -> Bases:
    """Measure ‖PE(p+k) − PE(p)‖ for each k of ``apart`` at bases from 1.01 to 10⁷.

    Raises:
        ValueError: as :func:`encode`.
    """
    measured = np.stack([_distances_at(d_model, float(other), apart) for other in _BASES], axis=1)  # [k, base]
    before, after = (_distances_at(d_model, other, apart) for other in (base, base * _STEP_UP))
    return Bases(
        bases=_BASES,
        distances=dict(zip(apart, measured, strict=True)),
        base=base,
        before=dict(zip(apart, before.tolist(), strict=True)),
        after=dict(zip(apart, after.tolist(), strict=True)),
    )


def study_repeats(encoding: Encoding, base: float) -> Repeats:
    """Search for positions with similar codes; those of few dimensions are made with ``base``."""
    length, d_model = encoding.shape
    widths = sorted({*SMALL_WIDTHS, d_model})
    nearest = {
        width: np.minimum.accumulate(_from_start(encoding if width == d_model else encode(width, base, length)))
        for width in widths
    }
    halved = torch.from_numpy(encoding).bfloat16().view(torch.int16).numpy()
    angles = torch.arange(length).bfloat16()[:, None] * geometric_frequencies(d_model, base).bfloat16()
    of_rounded_angles = torch.cat([angles.sin(), angles.cos()], dim=1).view(torch.int16).numpy()
    return Repeats(
        distances=_from_start(encoding),
        nearest=nearest,
        norm=float(np.linalg.norm(encoding[0])),
        equal={
            "float32": _count_shared(encoding),
            "bfloat16": _count_shared(halved),
            "angle": _count_shared(of_rounded_angles),
        },
    )


def study_beyond(encoding: Encoding, base: float, length: int) -> Beyond:
    """Measure how the positions of ``encoding`` from ``length`` on differ from those before."""
    d_model = encoding.shape[1]
    trained, distances = encoding[:length], _from_start(encoding)
    outside = (encoding > trained.max(axis=0) + NEW_BY) | (encoding < trained.min(axis=0) - NEW_BY)
    # The distance between two positions is that between 0 and their difference, so one window slides over all.
    windows = np.lib.stride_tricks.sliding_window_view(distances, length)
    turns = geometric_frequencies(d_model, base).numpy() * (length - 1) / (2 * np.pi)
    return Beyond(
        length=length,
        share_outside=outside.mean(axis=1),
        share_of_dimensions_outside=float(outside.any(axis=0).mean()),
        nearest_trained=windows.min(axis=1),
        step=float(distances[0]),
        n_pairs=d_model // 2,
        n_slow_pairs=int((turns < 1).sum()),
    )


def _from_start(encoding: Encoding) -> Curve:
    distances: Curve = np.linalg.norm(encoding[1:] - encoding[0], axis=1)
    return distances


def _distances_at(d_model: int, base: float, apart: Sequence[int]) -> Curve:
    encoding = sinusoidal_encoding(torch.tensor([0, *apart]), d_model, base).numpy()
    return _from_start(encoding)


def _count_shared(codes: np.ndarray) -> int:
    counts = Counter(row.tobytes() for row in np.ascontiguousarray(codes))
    return sum(count for count in counts.values() if count > 1)


@dataclass(frozen=True)
class Studies:
    """The four studies under one set of settings."""

    neighbours: Neighbours
    bases: Bases
    repeats: Repeats
    beyond: Beyond

    @property
    def d_model(self) -> int:
        """The width of the encoding."""
        return 2 * self.beyond.n_pairs


def study_all(d_model: int, base: float, length: int) -> Studies:
    """Return all four studies of an encoding that is trained up to ``length``; raises as :func:`encode`."""
    encoding = encode(d_model, base, BEYOND * length)
    trained = encoding[:length]
    return Studies(
        neighbours=study_neighbours(trained, base, APART[1:]),
        bases=study_bases(d_model, base, APART),
        repeats=study_repeats(trained, base),
        beyond=study_beyond(encoding, base, length),
    )
