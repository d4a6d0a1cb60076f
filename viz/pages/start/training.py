"""Pictures and questions about training: learning rate, dropout and label smoothing."""

from dataclasses import dataclass

import numpy as np

from viz.base.link_parameters import Choice
from viz.base.numbers import scientific
from viz.base.words import listed_apart, page_text
from viz.figures.horizontal import horizontal
from viz.figures.lines import lines
from viz.pages.start.drawing import chart
from viz.pages.start.figures.cells import cells
from viz.pages.start.stops import Answer, Picture, PictureContent, PictureControl
from viz.pages.start.study.training import best_share, drop, losses, paper_rates, shares_of_right, smoothed_target

TEXT = page_text("pages/start/training")
_D_MODEL = Choice("schedule-d_model", 512, (128, 256, 512, 1024))
_WARMUP = Choice("warmup", 4000, (500, 1000, 2000, 4000, 8000))
# The curve is drawn in ten-thousandths.
_UNIT = 1e4
_STEPS = np.arange(1, 20_001, 40, dtype=np.float64)
_RATE = Choice("dropout-rate", 0.1, (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8))
_N_DRAWS, _N_UNITS = 12, 40
_EPSILON = Choice("epsilon", 0.1, (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5))


@dataclass(frozen=True)
class WarmupSchedule:
    """The parameters of the schedule."""

    d_model: int = _D_MODEL.default
    warmup: int = _WARMUP.default


def _schedule(schedule: WarmupSchedule) -> PictureContent:
    warmup, rates = schedule.warmup, paper_rates(_STEPS, **vars(schedule))
    curve = chart(
        "schedule",
        TEXT["alt schedule"].format(warmup=f"{warmup:,}", peak=scientific(float(rates.max()))),
        lines(
            _STEPS,
            {TEXT["learning rate"]: rates * _UNIT},
            x_name=TEXT["update"],
            y_name=TEXT["learning rate"],
            marks={TEXT["warmup ends"]: float(warmup)},
            height=320,
        ),
    )
    return PictureContent((curve,))


def peak_rate(schedule: WarmupSchedule) -> Answer:
    """Return the highest learning rate of the schedule."""
    steps = np.arange(1, 2 * schedule.warmup, dtype=np.float64)
    peak = float(paper_rates(steps, **vars(schedule)).max()) * _UNIT
    # As near as it is read off the curve.
    return Answer(peak, vars(schedule) | {"peak": f"{peak:.3g}"}, within=0.03)


SCHEDULE = Picture(
    _schedule,
    WarmupSchedule,
    lambda _: (PictureControl("d_model", _D_MODEL, TEXT["d_model"]), PictureControl("warmup", _WARMUP, TEXT["warmup"])),
)


@dataclass(frozen=True)
class DropoutRate:
    """The share of units that is dropped."""

    rate: float = _RATE.default


def _dropout(dropout: DropoutRate) -> PictureContent:
    left = drop(_N_DRAWS, _N_UNITS, dropout.rate)
    values = {"rate": dropout.rate, "share": f"{(left == 0).mean():.2f}", "mean": f"{left.mean():.2f}"}
    matrix = chart(
        "dropout",
        TEXT["alt dropout"].format(draws=_N_DRAWS, units=_N_UNITS, **values),
        cells(left, hover=TEXT["hover"], height=290, x_name=TEXT["unit"], y_name=TEXT["draw"], deepest=5.0),
    )
    return PictureContent((matrix,))


def dropout_factor(dropout: DropoutRate) -> Answer:
    """Return by what dropout multiplies a number that it keeps."""
    return Answer(float(drop(_N_DRAWS, _N_UNITS, dropout.rate).max()), vars(dropout), within=0.02)


DROPOUT = Picture(_dropout, DropoutRate, lambda _: (PictureControl("rate", _RATE, TEXT["rate"]),))


@dataclass(frozen=True)
class Smoothing:
    """The share of the target that all words divide."""

    epsilon: float = _EPSILON.default


def _smoothing(smoothing: Smoothing) -> PictureContent:
    epsilon, words = smoothing.epsilon, TEXT.lines("words")
    target = smoothed_target(len(words), epsilon)
    values = listed_apart(f"{word} {share:.3f}" for word, share in zip(words, target, strict=True))
    bars = chart(
        "smoothed-target",
        TEXT["alt target"].format(values=values),
        horizontal(words, {TEXT["target"]: target}, x_name=TEXT["target"]),
    )
    shares, best = shares_of_right(), best_share(len(words), epsilon)
    curves = {TEXT["loss"]: losses(shares, len(words), epsilon), TEXT["loss plain"]: losses(shares, len(words), 0.0)}
    loss = chart(
        "smoothed-loss",
        TEXT["alt loss"].format(best=f"{best:.2f}"),
        lines(
            shares,
            curves,
            x_name=TEXT["share"],
            y_name=TEXT["nats"],
            marks={TEXT["least"].format(best=f"{best:.2f}"): best},
            height=250,
        ),
    )
    return PictureContent((bars, loss))


def best_probability(smoothing: Smoothing) -> Answer:
    """Return the probability of the right word at which the smoothed loss is least."""
    n = len(TEXT.lines("words"))
    return Answer(best_share(n, smoothing.epsilon), vars(smoothing) | {"n": n}, within=0.01)


SMOOTHING = Picture(_smoothing, Smoothing, lambda _: (PictureControl("epsilon", _EPSILON, TEXT["epsilon"]),))
