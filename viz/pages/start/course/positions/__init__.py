"""Lab: what positions are for, and what NoPE and RoPE do past the trained length."""

from collections.abc import Mapping
from functools import cache, partial

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float

from model.analysis.interventions.edited_models import with_encoding, with_rotary
from model.device import use_one_thread
from model.hooks import Edit, intervene, record
from model.tasks import find
from model.text.tokenizer import EOS_ID
from model.zoo.data import held_out_rows
from model.zoo.evaluate import measure
from pretrained.zoo import zoo_probes
from viz.base.tokens import piece_labels
from viz.base.words import listed, listed_apart
from viz.pages.start.course.lab import Lab, LabStep
from viz.pages.start.stops import Answer
from viz.pages.start.study.lengths import longest_trained
from viz.pages.start.study.position import encode, n_full_turns
from viz.pages.start.study.published import exact_match_by_seed
from viz.shared.encodings import planned_title
from viz.shared.model_words import task_title
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator
from viz.shared.zoo import network, results, shipped

_SENTENCE, _TWICE = "The dog chases the cat", "the dog chases the dog"
_D_MODEL, _LENGTH, _BASE = 64, 128, 10_000
# Asked about, and not what the link opens.
_LONGER = 1024
_ENCODINGS = ("none", "rotary")
_COPY, _RECALL, _FAR = "copy_letters", "recall", 24
_HALF = 0.5
# A tested length at which the copies of NoPE are partly right, and one at which none is.
_PARTLY, _NEVER = 24, 30
# How the trained model is stretched, and a trained length at which PI shows what that costs.
_NTK, _PI, _FACTOR, _TRAINED = "rotary_ntk", "rotary_interpolation", 2.0, 10
N_INPUTS = 50
"""Inputs at each length, as many as the page on edited models measures."""
_COMPARED = {"untrained": ("untrained", "trained"), "beyond": ("trained", "beyond")}
# The layer in which heads look at a neighbour, from 1.
_LAYER = 2
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
    tokenizer = translator(DEFAULT_TRANSLATOR).tokenizer
    ids = [*tokenizer.encode(_TWICE), EOS_ID]
    tokens = piece_labels(tokenizer.pieces(ids), [word.start for word in tokenizer.words(ids)])
    return Answer(distinct, {"sentence": _TWICE, "n": total, "tokens": listed(tokens)}, mistakes=(total, alone))


def beside(edits: Mapping[str, Edit]) -> Mapping[str, Float[torch.Tensor, " head"]]:
    """Return the mean weight of one layer's heads on the token ``before`` and ``after``, with ``edits``."""
    loaded, point = translator(DEFAULT_TRANSLATOR), f"encoder.{_LAYER - 1}.self_attention.pattern"
    ids = torch.tensor([[*loaded.tokenizer.encode(_SENTENCE), EOS_ID]])
    with torch.inference_mode(), intervene(edits), record(point) as seen:
        loaded.model.encode(ids)
    return {name: seen[point][0].diagonal(side, 1, 2).mean(1) for name, side in (("before", -1), ("after", 1))}


@cache
def _neighbours() -> Mapping[str, object]:
    """Return the heads of the layer that look most at the previous and at the next token, and what moves."""
    use_one_thread()
    means = beside({})
    heads = {name: int(of_heads.argmax()) + 1 for name, of_heads in means.items()}
    weights = {f"at_{name}": float(of_heads.max()) for name, of_heads in means.items()}
    return heads | {name: f"{value:.2f}" for name, value in (weights | moved()).items()}


def moved() -> dict[str, float]:
    """Return how far the encoder's outputs move with the words in reverse order, as shares of their norms.

    ``middle`` is the most of a token in the middle that keeps its place, ``end`` is the mark of the end, and ``low``
    and ``high`` are the least and the most of the tokens with another place.
    """
    loaded = translator(DEFAULT_TRANSLATOR)
    ids = torch.tensor([*loaded.tokenizer.encode(_SENTENCE), EOS_ID])
    *words, end = loaded.tokenizer.words(ids.tolist())
    order = [place for word in (*reversed(words), end) for place in range(word.start, word.end)]
    with torch.inference_mode():
        before, after = (loaded.model.encode(row[None])[0][0] for row in (ids, ids[order]))
    shares = ((after - before[order]).norm(dim=1) / before[order].norm(dim=1)).tolist()
    *middle, last = (share for place, share in enumerate(shares) if order[place] == place)
    others = [share for place, share in enumerate(shares) if order[place] != place]
    return {"middle": max(middle), "end": last, "low": min(others), "high": max(others)}


def _first_unturned() -> Mapping[str, object]:
    return {"length": _LENGTH, "first": n_full_turns(_D_MODEL, _LENGTH), "pairs": _D_MODEL // 2}


def _similarities() -> Mapping[str, object]:
    """Return the first distance with a similarity below half, and the extremes beyond that distance."""
    encoding = encode(_D_MODEL, _LENGTH)
    shares = encoding @ encoding[0] / (_D_MODEL / 2)
    below = int((shares < _HALF).argmax())
    beyond = shares[below:]
    return {"length": _LENGTH, "below": below, "low": f"{beyond.min():.2f}", "high": f"{beyond.max():.2f}"}


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
        "other": _first_below(*_means(_COPY, "none"), _HALF),
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


def _copied() -> Mapping[str, object]:
    """Return how far NoPE copies, and after which layer a probe reads its positions best."""
    lengths, means = _means(_COPY, "none")
    values = {"trained": longest_trained(results(), _COPY), "partly": _PARTLY, "never": _NEVER}
    copied = {name: means[lengths.index(at)] for name, at in (("at_partly", _PARTLY), ("at_never", _NEVER))}
    probes = zoo_probes()
    own = probes[(probes.task == _COPY) & (probes.encoding == "none")]
    by_layer = {kind: _by_layer(own, *kind) for kind in (("trained", "trained"), *_COMPARED.values())}
    read = by_layer["trained", "trained"]
    layer = int(read.to_numpy().argmax())
    compared = {name: by_layer[kind].iloc[layer] for name, kind in _COMPARED.items()}
    shown = {"r2": read.iloc[layer], **compared, **copied}
    return values | {"layer": layer} | {name: f"{value:.2f}" for name, value in shown.items()}


def _by_layer(rows: pd.DataFrame, subject: str, region: str) -> pd.Series:
    own = rows[(rows.subject == subject) & (rows.region == region)]
    return own.groupby("layer").r2.mean()


@cache
def copied(scaling: str, length: int) -> float:
    """Return exact match of the shipped model at ``length``, with RoPE as trained (``""``) or scaled."""
    use_one_thread()
    (model,) = (one for one in shipped(_COPY) if one.run.encoding == "rotary")
    tested = network(model)
    if scaling:
        tested = with_encoding(tested, with_rotary(tested.config.positional, scaling, {"factor": _FACTOR}))
    return measure(tested, held_out_rows(find(_COPY), length, N_INPUTS), length).exact_match


def _stretched() -> Mapping[str, object]:
    """Return what two ways to stretch the shipped model change, and how far its seed and the others reach."""
    lengths, by_seed = exact_match_by_seed(results(), _COPY, "rotary")
    longest, fallen = longest_trained(results(), _COPY), _first_below(lengths, by_seed.mean(axis=0), _HALF)
    beyond = [length for length in lengths if longest < length <= _FACTOR * longest]
    past = max(beyond, key=lambda length: copied(_NTK, length) - copied("", length))
    asked = {"ntk": (_NTK, past), "pi": (_PI, _TRAINED)}
    shown = {f"{name}_before": copied("", length) for name, (_, length) in asked.items()}
    shown |= {f"{name}_after": copied(scaling, length) for name, (scaling, length) in asked.items()}
    seeds = listed(f"{value:.2f}" for value in by_seed[:, lengths.index(fallen)])
    values = {"past": past, "trained": _TRAINED, "factor": f"{_FACTOR:g}", "fallen": fallen, "seeds": seeds}
    return values | {"n": len(by_seed)} | {name: f"{value:.2f}" for name, value in shown.items()}


_step = partial(LabStep, "positions")
_ORDER = {"order_text": _SENTENCE, "order_by": "reverse", "order_head": "1"}
_WAVES = {"d_model": str(_D_MODEL), "base": str(_BASE), "length": str(_LENGTH), "pair": "8", "offset": "12"}
_FOUR = {"show": "distance", "count": "4", "compared-length": "64", "trained": "32", "causal": "true"}
_FOUR |= {"v1": "sinusoidal", "v2": "rotary", "v3": "alibi", "v4": "none"}
_PROBE = {"task": _COPY, "probe": "none", "probe-at": "trained", "probe-by": "r2"}
_EDIT = {"task": _COPY, "reach": "rotary", "reach-scaling": "rotary_ntk", "reach-factor": f"{_FACTOR:g}"}
LAB = Lab(
    "positions",
    2,
    (
        _step("without", "word-order", _ORDER | {"order_layer": "1", "order_encoding": "without"}, 5, _distinct),
        _step(
            "with", "word-order", _ORDER | {"order_layer": str(_LAYER), "order_encoding": "with"}, 4, facts=_neighbours
        ),
        _step("rows", "sinusoid", _WAVES | {"position": "40"}, 5, facts=_first_unturned),
        _step("clocks", "sinusoid", _WAVES | {"position": "40"}, 6, _turns),
        _step("distance", "sinusoid", _WAVES | {"position": "90"}, 4, facts=_similarities),
        _step("four", "compare-encodings", _FOUR, 5, facts=lambda: {"trained": _FOUR["trained"]}),
        _step("past", "cliff", {"task": _COPY, "length": "20"}, 6, _fallen),
        _step("recall", "cliff", {"task": _RECALL, "length": "8"}, 5, _longer),
        _step("probe", "probes", _PROBE, 5, facts=_copied),
        _step("stretch", "edit-model", _EDIT, 5, facts=_stretched),
    ),
)
