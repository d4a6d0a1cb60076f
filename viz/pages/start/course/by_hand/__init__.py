"""Lab: attention by hand, from q·k to the output, and why the scores are divided by √d_k."""

import math
from collections.abc import Mapping
from functools import partial

import numpy as np
from jaxtyping import Float

from viz.base.words import listed
from viz.pages.start.attention import SCALE, Scale
from viz.pages.start.course.lab import Lab, LabStep
from viz.pages.start.inside import CROSS_MAP
from viz.pages.start.stops import Answer
from viz.pages.start.study.attention import weights
from viz.pages.start.study.findings import BROTHER
from viz.shared.shipped import DEFAULT_TRANSLATOR

_MATRICES = {"X": "1 0; 0 1; 1 1", "W_Q": "2 0; 0 1", "W_K": "1 1; 0 2", "W_V": "1 0; 0 2", "W_O": "1 0; 0 1"}
_PLAIN = {"n_heads": "1", "scale": "true", "mask": "none", "subtract_maximum": "true", "precision": "float64"}
_TWINS = {**dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), "1 0; 0 1"), "X": "1 0; 1 0; 0 1"}
_TWO_HEADS = {
    "X": "1 0 1 0; 0 1 0 1; 1 1 0 0",
    "W_Q": "2 0 0 1; 0 2 1 0; 0 0 2 0; 1 0 0 2",
    "W_K": "2 1 0 0; 0 2 0 0; 0 0 1 2; 0 0 2 1",
    "W_V": "1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1",
    "W_O": "1 0; 0 1; 1 0; 0 -1",
}
_LARGE = {**dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), "1 0; 0 1"), "X": "40 0; 0 1"}

# Another last row of X, which no link opens: its answers stand on no page until somebody types it.
_CHANGED = "5 1"
# Which query and key, and which number of the output, are asked about: counted from 1.
_SCORE, _WEIGHT, _OUTPUT = (3, 1), (2, 3), (2, 2)

Matrix = Float[np.ndarray, "row column"]


def _matrix(text: str) -> Matrix:
    return np.array([row.split() for row in text.split(";")], dtype=np.float64)


def _unbroken() -> Mapping[str, object]:
    """Return the matrices so that no line ends within one."""
    return {name: text.replace(" ", "\N{NO-BREAK SPACE}") for name, text in _MATRICES.items()}


def _changed() -> str:
    return ";".join([*_MATRICES["X"].split(";")[:-1], f" {_CHANGED}"])


def _products(x: Matrix) -> Float[np.ndarray, "query key"]:
    """Return q·k of every query and key."""
    products: Float[np.ndarray, "query key"] = (x @ _matrix(_MATRICES["W_Q"])) @ (x @ _matrix(_MATRICES["W_K"])).T
    return products


def _pattern(x: Matrix) -> Float[np.ndarray, "query key"]:
    return np.stack([weights(row / math.sqrt(_matrix(_MATRICES["W_K"]).shape[1])) for row in _products(x)])


def _score(_: None) -> Answer:
    query, key = _SCORE
    x = _matrix(_changed())
    products = _products(x)
    mistakes = (
        int(products[key - 1, query - 1]),
        int(x[query - 1] @ x[key - 1]),
        int(_products(_matrix(_MATRICES["X"]))[query - 1, key - 1]),
    )
    values = {"query": query, "key": key, "row": _CHANGED, **_MATRICES, "X": _changed()}
    return Answer(int(products[query - 1, key - 1]), values, mistakes=mistakes)


def _weight(_: None) -> Answer:
    query, key = _WEIGHT
    x = _matrix(_changed())
    row = _products(x)[query - 1]
    right = float(_pattern(x)[query - 1, key - 1])
    mistakes = (float(weights(row)[key - 1]), float(row[key - 1] / row.sum()))
    values = {"query": query, "key": key, "row": _CHANGED, "scores": listed(f"{score:g}" for score in row), "d_k": 2}
    return Answer(right, values, within=0.01, mistakes=mistakes)


def _output(_: None) -> Answer:
    row, column = _OUTPUT
    x = _matrix(_changed())
    values = (x @ _matrix(_MATRICES["W_V"]) @ _matrix(_MATRICES["W_O"]))[:, column - 1]
    pattern = _pattern(x)[row - 1]
    mistakes = (float(values[pattern.argmax()]), float(values.mean()))
    shown = {
        "row": row,
        "column": column,
        "changed": _CHANGED,
        "weights": listed(f"{weight:.3f}" for weight in pattern),
        "numbers": listed(f"{value:g}" for value in values),
    }
    return Answer(float(pattern @ values), shown, within=0.01, mistakes=mistakes)


def _before_scaling(scale: Scale) -> Answer:
    return Answer(math.sqrt(scale.d_k), vars(scale), within=0.01, mistakes=(scale.d_k, 1))


_step = partial(LabStep, "by_hand")
_UNSCALED = _MATRICES | _PLAIN | {"scale": "false"}
_HEAD = {"translator": DEFAULT_TRANSLATOR, "text": BROTHER, "kind": "cross", "heads": "2.1", "view": "explorer"}
LAB = Lab(
    "by_hand",
    1,
    (
        _step("head", "translate", _HEAD, 5, picture=CROSS_MAP),
        _step("score", "dot-product", _UNSCALED, 6, _score, facts=_unbroken),
        _step("softmax", "dot-product", _MATRICES | _PLAIN, 6, _weight),
        _step("output", "dot-product", _MATRICES | _PLAIN, 6, _output),
        _step("mask", "dot-product", _MATRICES | _PLAIN | {"mask": "causal"}, 4),
        _step("twins", "dot-product", _TWINS | _PLAIN, 4),
        _step("two-heads", "dot-product", _TWO_HEADS | _PLAIN | {"n_heads": "2"}, 5),
        _step("overflow", "dot-product", _LARGE | _PLAIN | {"subtract_maximum": "false"}, 4),
        _step("scale", "scale", {"samples": "1000", "keys": "16", "scale-seed": "1"}, 5, _before_scaling, SCALE),
        _step("real", "dot-product", {"kind": "cross", "sentence": BROTHER, "layer": "2", "head": "1"}, 5),
    ),
)
