"""Small matrices with their numbers, and products of them, in which a cell shows what it was made of."""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import numpy as np
from jaxtyping import Float

from viz.base.colours import Theme, style_variables

Matrix = Float[np.ndarray, "row column"]

_STYLE = Path(__file__).with_name("matrix_view.css")

MAX_LINKED = 32
"""Rows and columns up to which the pointer on a cell of a product lights what went into it."""


def matrix_view(
    name: str,
    values: Matrix,
    *,
    largest: float = 0.0,
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    titles: Sequence[Sequence[str]] = (),
) -> str:
    """Return HTML for ``values`` under ``name``: positive cells in one colour, negative ones in the other.

    Args:
        name: what the matrix is called; any text.
        values: finite or not.
        largest: the absolute value that is drawn deepest; 0 for the matrix's own.
        rows: a label for each row, or none.
        columns: a label for each column, or none.
        titles: the text that each cell shows when the pointer rests on it, or none.
    """
    deepest = largest or float(np.abs(values[np.isfinite(values)]).max(initial=0)) or 1.0
    labels = "".join(f'<th scope="col">{escape(label)}</th>' for label in columns)
    corner = "<td></td>" if rows else ""
    head = f"<thead><tr>{corner}{labels}</tr></thead>" if columns else ""
    body = "".join(
        "<tr>"
        + (f'<th scope="row">{escape(rows[r])}</th>' if rows else "")
        + "".join(_cell(value, deepest, r, c, titles[r][c] if titles else "") for c, value in enumerate(row))
        + "</tr>"
        for r, row in enumerate(values)
    )
    shape = f"{values.shape[0]}×{values.shape[1]}"
    return (
        f'<table class="matrix"><caption>{escape(name)} <span class="shape">{shape}</span></caption>'
        f"{head}<tbody>{body}</tbody></table>"
    )


def product_view(
    left: tuple[str, Matrix],
    right: tuple[str, Matrix],
    result: tuple[str, Matrix],
    *,
    largest_left: float = 0.0,
    left_rows: Sequence[str] = (),
    right_rows: Sequence[str] = (),
    right_columns: Sequence[str] = (),
) -> str:
    """Return HTML for ``left`` times ``right`` equals ``result``, each a name with its matrix.

    The pointer on a cell of the result lights the row and the column it is the product of, and its title writes the sum
    out. ``largest_left`` and the labels are what :func:`matrix_view` takes for either; the result has the rows of
    ``left`` and the columns of ``right``.
    """
    titles = [
        [_sum(row, column, value) for column, value in zip(right[1].T, values, strict=True)]
        for row, values in zip(left[1], result[1], strict=True)
    ]
    parts = {
        "left": matrix_view(*left, largest=largest_left, rows=left_rows),
        "right": matrix_view(*right, rows=right_rows, columns=right_columns),
        "result": matrix_view(*result, rows=left_rows, columns=right_columns, titles=titles),
    }
    left_part, right_part, result_part = (f'<div class="{name}">{part}</div>' for name, part in parts.items())
    signs = (f'<span class="sign">{sign}</span>' for sign in "×=")
    return f'<div class="product">{left_part}{next(signs)}{right_part}{next(signs)}{result_part}</div>'


def matrix_views(views: Iterable[str], *, theme: Theme) -> str:
    """Return HTML for ``views``, made by the functions above, side by side."""
    return f'<div class="matrix-views" translate="no" style="{style_variables(theme)}">{"".join(views)}</div>'


def matrix_style() -> str:
    """Return the style sheet of these views, to be on the page once, as HTML."""
    return f"<style>{matrix_rules()}</style>"


def matrix_rules() -> str:
    """Return the rules of that style sheet."""
    return "".join([_STYLE.read_text(encoding="utf-8"), *map(_link, range(MAX_LINKED))])


def _link(index: int) -> str:
    hovered_row, hovered_column = (f":has(.result .{axis}{index}:hover)" for axis in "rc")
    return (
        f".product{hovered_row} .left .r{index}, .product{hovered_column} .right .c{index} "
        "{ outline: 2px solid var(--ink); outline-offset: -2px }"
    )


def written(value: float) -> str:
    """Return ``value`` short enough for a cell: integers unchanged, others with 3 decimals or an exponent."""
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    size = abs(value)
    if size and not 0.0005 <= size < 10_000:
        text = f"{value:.1e}"
    elif value == round(value):
        text = f"{value:.0f}"
    else:
        text = f"{value:.3f}" if size < 100 else f"{value:.1f}"
    return text.replace("-", "−")


def _cell(value: float, deepest: float, row: int, column: int, title: str) -> str:
    kind = "strange" if not np.isfinite(value) else "negative" if value < 0 else "positive"
    share = min(abs(value) / deepest, 1.0) if np.isfinite(value) else 0.0
    attribute = f' title="{escape(title)}"' if title else ""
    return f'<td class="{kind} r{row} c{column}" style="--a:{share:.3f}"{attribute}>{written(value)}</td>'


def _sum(row: Sequence[float], column: Sequence[float], value: float) -> str:
    terms = " + ".join(f"{written(a)}·{written(b)}" for a, b in zip(row, column, strict=True))
    return f"{terms} = {written(value)}"
