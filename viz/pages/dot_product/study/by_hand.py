"""Scaled dot-product and multi-head attention on small matrices, with every step kept (Vaswani et al. 2017, §3.2)."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from jaxtyping import Bool, Float

Mask = Literal["none", "causal", "padding"]
MASKS: tuple[Mask, ...] = get_args(Mask)
Precision = Literal["float64", "float32", "float16"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)

LARGEST = 8
"""Most rows and columns of an editable matrix."""

EMPTY = "_"
"""How a cell with nothing in it is written."""

Matrix = Float[np.ndarray, "row column"]


class MatrixError(ValueError):
    """A matrix that cannot be computed with; the message names the cell or the matrix and says what to do."""


@dataclass(frozen=True)
class Options:
    """How the steps are taken.

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
class Inputs:
    """What can be edited, heads side by side: X [n, d], W_Q, W_K [d, h·d_k], W_V [d, h·d_v] and W_O [h·d_v, d_out]."""

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
class Steps:
    """Every step: Q, K and V of all heads side by side, each head's own, their concatenation, and the output."""

    Q: Matrix
    K: Matrix
    V: Matrix
    allowed: Bool[np.ndarray, "query key"]
    heads: tuple[HeadSteps, ...]
    concatenated: Matrix
    output: Matrix

    @property
    def overflowed(self) -> bool:
        """Whether an exponential was too large for the precision, or every one of a row too small."""
        return any(not np.isfinite(head.pattern).all() for head in self.heads)


def compute(inputs: Inputs, options: Options) -> Steps:
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
        return Steps(Q, K, V, allowed, heads, concatenated, concatenated @ W_O)


def allowed_keys(n: int, mask: Mask, n_padding: int) -> Bool[np.ndarray, "query key"]:
    """Return which of ``n`` keys each query may look at; with padding, the first key always stays."""
    allowed = np.ones((n, n), dtype=bool)
    if mask == "causal":
        return np.tril(allowed)
    if mask == "padding":
        allowed[:, max(1, n - n_padding) :] = False
    return allowed


def head_steps(q: Matrix, k: Matrix, v: Matrix, allowed: Bool[np.ndarray, "query key"], options: Options) -> HeadSteps:
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


def _check_shapes(inputs: Inputs, options: Options) -> None:
    d = inputs.X.shape[1]
    for name in ("W_Q", "W_K", "W_V"):
        rows = getattr(inputs, name).shape[0]
        if rows != d:
            raise MatrixError(
                f"{name} has {_count(rows, 'row')} and X has {_count(d, 'column')}; to multiply them, give {name} "
                f"{_count(d, 'row')}"
            )
    n_query, n_key = inputs.W_Q.shape[1], inputs.W_K.shape[1]
    if n_query != n_key:
        raise MatrixError(f"W_Q has {_count(n_query, 'column')} and W_K has {n_key}; q·k needs as many in both")
    for name in ("W_Q", "W_V"):
        columns = getattr(inputs, name).shape[1]
        if columns % options.n_heads:
            both = "W_Q and W_K have" if name == "W_Q" else "W_V has"
            raise MatrixError(
                f"{both} {_count(columns, 'column')}, which {options.n_heads} heads cannot share evenly; "
                "change the columns or the number of heads"
            )
    rows, columns = inputs.W_O.shape[0], inputs.W_V.shape[1]
    if rows != columns:
        raise MatrixError(
            f"W_O has {_count(rows, 'row')} and the heads together give {_count(columns, 'column')}; give W_O "
            f"{_count(columns, 'row')}"
        )


def parse_matrix(name: str, text: str) -> Matrix:
    """Return the matrix written in ``text``: a row a line (or between semicolons), numbers apart by spaces or tabs.

    Raises:
        MatrixError: no number at all, rows of different lengths, more than :data:`LARGEST` rows or columns, or a cell
            that is no finite number.
    """
    rows = [row.split() for row in text.replace(";", "\n").split("\n") if row.strip()]
    if not rows:
        raise MatrixError(f"{name} is empty; write at least one number")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise MatrixError(
                f"row {number} of {name} has {_count(len(row), 'number')} and row 1 has {len(rows[0])}; "
                "every row needs as many"
            )
    if max(len(rows), len(rows[0])) > LARGEST:
        raise MatrixError(f"{name} is {len(rows)} × {len(rows[0])}; at most {LARGEST} × {LARGEST} can be shown")
    return np.array([[_number(name, r, c, cell) for c, cell in enumerate(row, 1)] for r, row in enumerate(rows, 1)])


def write_matrix(matrix: Matrix) -> str:
    """Return ``matrix`` as :func:`parse_matrix` reads it, on one line."""
    return "; ".join(" ".join(f"{value:.6g}" for value in row) for row in matrix)


def _number(name: str, row: int, column: int, cell: str) -> float:
    try:
        value = float(cell.replace("−", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        shown = f"“{cell}”" if len(cell) <= 12 else f"“{cell[:11]}…”"
        found = "empty" if cell == EMPTY else shown
        raise MatrixError(f"row {row}, column {column} of {name} is {found}; write a finite number such as 0.5")
    return value


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
