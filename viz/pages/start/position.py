"""Pictures and questions about position: the sinusoidal encoding, and the effect of a causal mask.

The mask gives positions away even without an encoding.
"""

from dataclasses import dataclass

import numpy as np

from viz.base.link_parameters import Choice
from viz.base.numbers import scientific
from viz.base.words import page_text
from viz.figures.lines import lines
from viz.pages.start.drawing import chart
from viz.pages.start.figures.cells import cells
from viz.pages.start.stops import Answer, Picture, PictureContent, PictureControl
from viz.pages.start.study.attention import uniform_under_mask
from viz.pages.start.study.position import angles, encode, largest_miss, move_on, n_full_turns

TEXT = page_text("pages/start/position")
_D_MODEL = Choice("sinusoids-d_model", 64, (16, 32, 64, 128, 256))
_LENGTH = Choice("sinusoids-length", 50, (10, 25, 50, 100, 200))
_K = Choice("move-k", 7, tuple(range(31)))
_SMALL = 16
# The pair that turns by a round number of radians at each step.
_ASKED_PAIR = 2
_N_CHECKED = 200
_T = Choice("t", 8, tuple(range(2, 41)))


@dataclass(frozen=True)
class EncodingSize:
    """The size of an encoding."""

    d_model: int = _D_MODEL.default
    length: int = _LENGTH.default


def _encoding(size: EncodingSize) -> PictureContent:
    matrix = chart(
        "sinusoids",
        TEXT["alt encoding"].format(**vars(size)),
        cells(
            encode(size.d_model, size.length),
            hover=TEXT["hover"],
            height=340,
            x_name=TEXT["dimension"],
            y_name=TEXT["position"],
            deepest=1.0,
        ),
    )
    return PictureContent((matrix,))


def full_turns(size: EncodingSize) -> Answer:
    """Return how many pairs of dimensions complete a turn."""
    last = size.length - 1
    values = {"d_model": size.d_model, "pairs": size.d_model // 2, "last": last, "angle": f"{2 * np.pi / last:.3f}"}
    return Answer(n_full_turns(size.d_model, last), values)


ENCODING = Picture(
    _encoding,
    EncodingSize,
    lambda _: (PictureControl("d_model", _D_MODEL, TEXT["d_model"]), PictureControl("length", _LENGTH, TEXT["length"])),
)


@dataclass(frozen=True)
class PositionStep:
    """By how many positions one moves on."""

    k: int = _K.default


def _move_on(step: PositionStep) -> PictureContent:
    k = step.k
    matrix = chart(
        "move-on",
        TEXT["alt matrix"].format(k=k, d_model=_SMALL),
        cells(
            move_on(_SMALL, k),
            hover=TEXT["hover matrix"],
            height=330,
            x_name=TEXT["dimension from"],
            y_name=TEXT["dimension to"],
            deepest=1.0,
        ),
    )
    miss = scientific(largest_miss(_SMALL, k, _N_CHECKED))
    return PictureContent((matrix,), TEXT["miss"].format(k=k, n=_N_CHECKED, miss=miss))


def turned_angle(step: PositionStep) -> Answer:
    """Return by how many radians a pair turns in ``k`` positions."""
    speed, radians = (float(angles(_SMALL, k)[_ASKED_PAIR]) for k in (1, step.k))
    values = {"k": step.k, "pair": _ASKED_PAIR, "d_model": _SMALL, "speed": f"{speed:.4g}"}
    return Answer(radians, values, within=0.02)


MOVE_ON = Picture(_move_on, PositionStep, lambda _: (PictureControl("k", _K, TEXT["k"]),))


@dataclass(frozen=True)
class TokenPlace:
    """The place of a token, counted from 1."""

    t: int = _T.default


def _first_weight_curve(place: TokenPlace) -> PictureContent:
    t, of_first = place.t, uniform_under_mask(_T.options[-1])[:, 0]
    curve = chart(
        "no-position",
        TEXT["alt first"].format(t=t, weight=f"{of_first[t - 1]:.3f}", n=len(of_first)),
        lines(
            np.arange(1, len(of_first) + 1, dtype=np.float64),
            {TEXT["weight of first"]: of_first.astype(np.float64)},
            x_name=TEXT["place"],
            y_name=TEXT["weight of first"],
            marks={TEXT["here"].format(t=t): float(t)},
            height=300,
        ),
    )
    return PictureContent((curve,))


def first_weight(place: TokenPlace) -> Answer:
    """Return the weight of the first token where all visible scores are equal."""
    return Answer(float(uniform_under_mask(place.t)[-1, 0]), vars(place), within=0.02)


FIRST_WEIGHT_CURVE = Picture(_first_weight_curve, TokenPlace, lambda _: (PictureControl("t", _T, TEXT["t"]),))
