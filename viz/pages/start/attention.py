"""Pictures and questions about attention in small numbers: scale, mask, and the cost of a layer."""

from dataclasses import dataclass

import numpy as np

from viz.base.link_parameters import Choice
from viz.base.words import page_text
from viz.figures.bars import bars
from viz.figures.lines import lines
from viz.pages.start.drawing import chart
from viz.pages.start.figures.cells import cells
from viz.pages.start.stops import Answer, Picture, PictureContent, PictureControl
from viz.pages.start.study.attention import random_scores, visible, weights
from viz.pages.start.study.layer_cost import KINDS, complexities, first_costlier

TEXT = page_text("pages/start/attention")
_D_K = Choice("d_k", 64, (1, 4, 16, 64, 256, 1024))
_N_KEYS = 10
_N = Choice("mask-n", 8, tuple(range(2, 17)))
_D = Choice("cost-d", 256, (64, 128, 256, 512, 1024))
_LENGTHS = tuple(2**exponent for exponent in range(4, 14))


@dataclass(frozen=True)
class Scale:
    """The width of a key."""

    d_k: int = _D_K.default


def _scale(scale: Scale) -> PictureContent:
    scores = random_scores(scale.d_k, _N_KEYS)
    heights = {TEXT["scaled"]: weights(scores / np.sqrt(scale.d_k)), TEXT["plain"]: weights(scores)}
    keys = [TEXT["key"].format(number=number + 1) for number in range(_N_KEYS)]
    largest = {name: f"{values.max():.2f}" for name, values in zip(("scaled", "plain"), heights.values(), strict=True)}
    bar_chart = chart(
        "softmax-scale",
        TEXT["alt scale"].format(d_k=scale.d_k, n=_N_KEYS, **largest),
        bars(keys, heights, y_name=TEXT["weight"], height=300),
    )
    return PictureContent((bar_chart,))


def score_deviation(scale: Scale) -> Answer:
    """Return the standard deviation of a dot product of ``d_k`` components."""
    return Answer(float(np.sqrt(scale.d_k)), vars(scale), within=0.01)


SCALE = Picture(_scale, Scale, lambda _: (PictureControl("d_k", _D_K, TEXT["d_k"]),))


@dataclass(frozen=True)
class Mask:
    """The number of tokens."""

    n: int = _N.default


def _mask(mask: Mask) -> PictureContent:
    shown = visible(mask.n)
    matrix = chart(
        "causal-mask",
        TEXT["alt mask"].format(n=mask.n, visible=int(shown.sum())),
        cells(
            shown.astype(np.float64),
            hover=TEXT["hover"],
            height=340,
            x_name=TEXT["key position"],
            y_name=TEXT["query position"],
        ),
    )
    return PictureContent((matrix,))


def n_hidden(mask: Mask) -> Answer:
    """Return how many entries the causal mask hides."""
    return Answer(int((~visible(mask.n)).sum()), {"n": mask.n, "all": mask.n**2, "one_less": mask.n - 1})


MASK = Picture(_mask, Mask, lambda _: (PictureControl("n", _N, TEXT["n"]),))


@dataclass(frozen=True)
class Width:
    """The width of a token's vector."""

    d: int = _D.default


def _cost(width: Width) -> PictureContent:
    d = width.d
    curves = chart(
        "layer-cost",
        TEXT["alt cost"].format(d=d),
        lines(
            np.array(_LENGTHS, dtype=np.float64),
            {TEXT[f"kind {kind}"]: np.array(complexities(kind, _LENGTHS, d), dtype=np.float64) for kind in KINDS},
            x_name=TEXT["tokens"],
            y_name=TEXT["complexity"],
            logarithmic_x=True,
            logarithmic_y=True,
            marks={TEXT["crossing"].format(d=d): float(d)},
            height=320,
        ),
    )
    return PictureContent((curves,))


def crossing_length(width: Width) -> Answer:
    """Return the number of tokens from which self-attention has the higher complexity."""
    return Answer(first_costlier(width.d), vars(width))


COST = Picture(_cost, Width, lambda _: (PictureControl("d", _D, TEXT["d"]),))
