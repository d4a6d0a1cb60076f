"""Scaled dot-product and multi-head attention on small matrices, step by step.

Vaswani et al. 2017, section 3.2.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from jaxtyping import Bool, Float

from viz.base.words import Count, InputError

Mask = Literal["none", "causal", "padding"]
MASKS: tuple[Mask, ...] = get_args(Mask)
Precision = Literal["float64", "float32", "float16"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)
Overflow = Literal["products", "exponentials", "zeros"]
HEAD_COUNTS = (1, 2, 4)

MAX_SIZE = 8
"""Most rows and columns of an editable matrix."""

MAX_CELL = 12
"""Characters of a cell that an error repeats."""

EMPTY = "_"
"""How a cell with nothing in it is written."""

Matrix = Float[np.ndarray, "row column"]


class MatrixError(InputError):
    """A matrix that cannot be computed with."""


@dataclass(frozen=True)
class AttentionOptions:
    """Options of the computation.

    ``n_padding`` of the last keys are padding where ``mask`` says so; ``subtract_maximum`` is what every library does
    before it exponentiates; ``precision`` is what numbers are rounded to after each step.
    """

    n_heads: int = 1
    scale: bool = True
    mask: Mask = "none"
    n_padding: int = 1
    subtract_maximum: bool = True
    precision: Precision = "float64"


@dataclass(frozen=True)
class AttentionInputs:
    """The editable matrices, with heads side by side.

    X [n, d], W_Q and W_K [d, h·d_k], W_V [d, h·d_v], W_O [h·d_v, d_out].
    """

    X: Matrix
    W_Q: Matrix
    W_K: Matrix
    W_V: Matrix
    W_O: Matrix


@dataclass(frozen=True)
class HeadSteps:
    """One head: q, k, v; then what the scores go through, each [n, n]; then its output z [n, d_v].

    ``products`` are q·k, ``scaled`` those over √d_k, ``scores`` with the mask, ``shifted`` what is exponentiated,
    ``exponentials`` and their row sums, and the ``pattern``.
    """

    q: Matrix
    k: Matrix
    v: Matrix
    products: Matrix
    scaled: Matrix
    scores: Matrix
    shifted: Matrix
    exponentials: Matrix
    sums: Float[np.ndarray, " row"]
    pattern: Matrix
    z: Matrix


@dataclass(frozen=True)
class AttentionSteps:
    """Every step: Q, K, V of all heads, each head's steps, their concatenation, and the output."""

    Q: Matrix
    K: Matrix
    V: Matrix
    allowed: Bool[np.ndarray, "query key"]
    heads: tuple[HeadSteps, ...]
    concatenated: Matrix
    output: Matrix

    @property
    def overflow(self) -> Overflow | None:
        """The first overflow of the precision: a product q·k, an exponential, or a row that vanishes."""
        if not all(np.isfinite(head.scaled[self.allowed]).all() for head in self.heads):
            return "products"
        if all(np.isfinite(head.pattern).all() for head in self.heads):
            return None
        return "exponentials" if any(np.isinf(head.sums).any() for head in self.heads) else "zeros"


def largest_number(precision: Precision) -> str:
    """Return the largest number that ``precision`` holds, in two digits."""
    return f"{float(np.finfo(precision).max):.2g}"


def smallest_number(precision: Precision) -> str:
    """Return the smallest number above 0 that ``precision`` holds, in two digits."""
    return f"{float(np.finfo(precision).smallest_subnormal):.2g}"


def compute(inputs: AttentionInputs, options: AttentionOptions) -> AttentionSteps:
    """Return every step of multi-head attention on ``inputs``.

    Raises:
        MatrixError: shapes that do not fit each other, or heads that do not divide the columns.
    """
    _check_shapes(inputs, options)
    dtype = np.dtype(options.precision)
    X, W_Q, W_K, W_V, W_O = (
        np.asarray(matrix, dtype) for matrix in (inputs.X, inputs.W_Q, inputs.W_K, inputs.W_V, inputs.W_O)
    )
    # Infinities and NaN are what the reader came to see; they are shown, not warned of.
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        Q, K, V = X @ W_Q, X @ W_K, X @ W_V
        allowed = allowed_keys(len(X), options.mask, options.n_padding)
        split = (np.split(matrix, options.n_heads, axis=1) for matrix in (Q, K, V))
        heads = tuple(head_steps(q, k, v, allowed, options) for q, k, v in zip(*split, strict=True))
        concatenated = np.concatenate([head.z for head in heads], axis=1)
        return AttentionSteps(Q, K, V, allowed, heads, concatenated, concatenated @ W_O)


def allowed_keys(n: int, mask: Mask, n_padding: int) -> Bool[np.ndarray, "query key"]:
    """Return which of ``n`` keys each query may look at; with padding, the first key always stays."""
    allowed = np.ones((n, n), dtype=bool)
    if mask == "causal":
        return np.tril(allowed)
    if mask == "padding":
        allowed[:, max(1, n - n_padding) :] = False
    return allowed


def head_steps(
    q: Matrix, k: Matrix, v: Matrix, allowed: Bool[np.ndarray, "query key"], options: AttentionOptions
) -> HeadSteps:
    """Return every step of one head, in the precision of ``q``; equation 1 of the paper."""
    dtype = q.dtype
    products = q @ k.T
    scaled = products / dtype.type(math.sqrt(q.shape[1])) if options.scale else products
    scores = np.where(allowed, scaled, dtype.type(-np.inf))
    shifted = scores - scores.max(axis=1, keepdims=True) if options.subtract_maximum else scores
    exponentials = np.exp(shifted)
    sums = exponentials.sum(axis=1)
    pattern = exponentials / sums[:, None]
    return HeadSteps(q, k, v, products, scaled, scores, shifted, exponentials, sums, pattern, pattern @ v)


def _check_shapes(inputs: AttentionInputs, options: AttentionOptions) -> None:
    d = inputs.X.shape[1]
    for name in ("W_Q", "W_K", "W_V"):
        rows = getattr(inputs, name).shape[0]
        if rows != d:
            raise MatrixError(
                "rows", name=name, rows=Count(rows, "row"), columns=Count(d, "column"), needed=Count(d, "row")
            )
    n_query, n_key = inputs.W_Q.shape[1], inputs.W_K.shape[1]
    if n_query != n_key:
        raise MatrixError("columns", query=Count(n_query, "column"), key_columns=n_key)
    for name in ("W_Q", "W_V"):
        columns = getattr(inputs, name).shape[1]
        if columns % options.n_heads:
            raise MatrixError(f"heads {name}", columns=Count(columns, "column"), heads=options.n_heads)
    rows, columns = inputs.W_O.shape[0], inputs.W_V.shape[1]
    if rows != columns:
        raise MatrixError(
            "output rows", rows=Count(rows, "row"), columns=Count(columns, "column"), needed=Count(columns, "row")
        )


def parse_matrix(name: str, text: str) -> Matrix:
    """Return the matrix in ``text``: rows by lines or semicolons, numbers separated by spaces or tabs.

    Raises:
        MatrixError: no number at all, rows of different lengths, more than :data:`MAX_SIZE` rows or columns, or a cell
            that is no finite number.
    """
    rows = [row.split() for row in text.replace(";", "\n").split("\n") if row.strip()]
    if not rows:
        raise MatrixError("empty", name=name)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise MatrixError("uneven", row=number, name=name, numbers=Count(len(row), "number"), first=len(rows[0]))
    if max(len(rows), len(rows[0])) > MAX_SIZE:
        raise MatrixError("large", name=name, rows=len(rows), columns=len(rows[0]), largest=MAX_SIZE)
    return np.array([[_number(name, r, c, cell) for c, cell in enumerate(row, 1)] for r, row in enumerate(rows, 1)])


def _number(name: str, row: int, column: int, cell: str) -> float:
    try:
        value = float(cell.replace("−", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        place = {"row": row, "column": column, "name": name}
        if cell == EMPTY:
            raise MatrixError("empty cell", **place)
        raise MatrixError("cell", cell=cell if len(cell) <= MAX_CELL else f"{cell[: MAX_CELL - 1]}…", **place)
    return value
