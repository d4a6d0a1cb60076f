"""Lab: what positions are for, and what NoPE and RoPE do past the trained length."""

from functools import cache, partial

import numpy as np
import torch
from jaxtyping import Float

from model.device import use_one_thread
from model.hooks import intervene
from model.text.tokenizer import EOS_ID
from viz.base.words import listed_apart
from viz.pages.start.course.lab import Lab, Step
from viz.pages.start.stops import Answer, Question
from viz.pages.start.study.lengths import longest_trained
from viz.pages.start.study.position import n_full_turns
from viz.pages.start.study.published import exact_match_by_seed
from viz.shared.encodings import planned_title
from viz.shared.model_words import task_title
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator
from viz.shared.zoo import results

_SENTENCE, _TWICE = "The dog chases the cat", "the dog chases the dog"
_D_MODEL, _LENGTH, _BASE = 64, 128, 10_000
# Asked about, and not what the link opens.
_LONGER = 1024
_ENCODINGS = ("none", "rotary")
_COPY, _RECALL, _FAR = "copy_letters", "recall", 24
_HALF = 0.5
_MOVED = 1e-4


@cache
def _vectors() -> tuple[int, int, int]:
    """Return how many vectors the encoder writes for a sentence without positions, of how many tokens.

    The third number is how many of them belong to one token alone. Two vectors are another where they differ by more
    than a ten-thousandth of the longest.
    """
    use_one_thread()
    loaded = translator(DEFAULT_TRANSLATOR)
    ids = torch.tensor([*loaded.tokenizer.encode(_TWICE), EOS_ID])
    with torch.inference_mode(), intervene({"encoder.positional.encoding": torch.zeros_like}):
        rows = loaded.model.encode(ids[None])[0][0]
    is_same = torch.cdist(rows, rows, compute_mode="donot_use_mm_for_euclid_dist") <= _MOVED * rows.norm(dim=1).max()
    n_like = is_same.sum(dim=1)
    return round(float((1 / n_like).sum())), len(ids), int((n_like == 1).sum())


def _distinct(_: None) -> Answer:
    distinct, total, alone = _vectors()
    return Answer(distinct, {"sentence": _TWICE, "n": total}, mistakes=(total, alone))


def _turns(_: None) -> Answer:
    opened, turning, pairs = (*(n_full_turns(_D_MODEL, length) for length in (_LENGTH, _LONGER)), _D_MODEL // 2)
    values = {"d_model": _D_MODEL, "length": f"{_LONGER:,}", "opened": _LENGTH, "pairs": pairs, "base": _BASE}
    return Answer(turning, values, mistakes=(opened, pairs - turning, pairs))


def _means(task: str, encoding: str) -> tuple[tuple[int, ...], Float[np.ndarray, " length"]]:
    lengths, values = exact_match_by_seed(results(), task, encoding)
    return lengths, values.mean(axis=0)


def _first_below(lengths: tuple[int, ...], means: Float[np.ndarray, " length"], share: float) -> int:
    return next(length for length, mean in zip(lengths, means, strict=True) if mean < share)


def _fallen(_: None) -> Answer:
    lengths, means = _means(_COPY, "rotary")
    trained = longest_trained(results(), _COPY)
    right = _first_below(lengths, means, _HALF)
    past = next(length for length in lengths if length > trained)
    values = {
        "task": task_title(_COPY),
        "encoding": planned_title("rotary"),
        "trained": trained,
        "mean": f"{means[lengths.index(right)]:.2f}",
    }
    return Answer(right, values, mistakes=(trained, past))


def _longer(_: None) -> Answer:
    at = {}
    for encoding in _ENCODINGS:
        lengths, means = _means(_RECALL, encoding)
        at[planned_title(encoding)] = float(means[lengths.index(_FAR)])
    best, worst = max(at, key=at.__getitem__), min(at, key=at.__getitem__)
    every = listed_apart(f"{title} {mean:.2f}" for title, mean in at.items())
    values = {"task": task_title(_RECALL), "length": _FAR, "trained": longest_trained(results(), _RECALL)}
    return Answer(best, values | {"means": every}, tuple(at), mistakes=(worst,))


_step = partial(Step, "positions")
_ORDER = {"order_text": _SENTENCE, "order_by": "reverse", "order_layer": "1", "order_head": "1"}
_WAVES = {"d_model": str(_D_MODEL), "base": str(_BASE), "length": str(_LENGTH), "pair": "8", "offset": "12"}
_FOUR = {"show": "distance", "count": "4", "length": "64", "trained": "32", "causal": "true"}
_FOUR |= {"v1": "sinusoidal", "v2": "rotary", "v3": "alibi", "v4": "none"}
_PROBE = {"task": _COPY, "probe": "none", "probe-at": "trained", "probe-by": "r2"}
_EDIT = {"task": _COPY, "reach": "rotary", "reach-scaling": "rotary_ntk", "reach-factor": "2"}
LAB = Lab(
    "positions",
    2,
    (
        _step("without", "word-order", _ORDER | {"order_encoding": "without"}, 5, Question(_distinct)),
        _step("with", "word-order", _ORDER | {"order_encoding": "with"}, 4),
        _step("rows", "sinusoid", _WAVES | {"position": "40"}, 5),
        _step("clocks", "sinusoid", _WAVES | {"position": "40"}, 6, Question(_turns)),
        _step("distance", "sinusoid", _WAVES | {"position": "90"}, 4),
        _step("four", "compare-encodings", _FOUR, 5),
        _step("past", "cliff", {"task": _COPY, "length": "20"}, 6, Question(_fallen)),
        _step("recall", "cliff", {"task": _RECALL, "length": "8"}, 5, Question(_longer)),
        _step("probe", "probes", _PROBE, 5),
        _step("stretch", "edit-model", _EDIT, 5),
    ),
)
