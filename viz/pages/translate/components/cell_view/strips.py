"""Vectors as rows of coloured cells, one under the other, so that a dimension is a column."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from jaxtyping import Float32

from viz.components.matrix_view import written


@dataclass(frozen=True)
class Strip:
    """A vector under a name; the absolute value ``largest`` is drawn deepest."""

    name: str
    values: Float32[np.ndarray, " dimension"]
    largest: float


def largest_of(*vectors: Float32[np.ndarray, " dimension"]) -> float:
    """Return the largest absolute value in ``vectors``."""
    return max(float(np.abs(vector).max(initial=0)) for vector in vectors)


def strips_view(strips: Sequence[Strip], *, titles: Sequence[str], label: str) -> str:
    """Return HTML for ``strips``, which have as many dimensions each.

    Args:
        strips: the vectors, from top to bottom.
        titles: the tooltip of each dimension's column.
        label: what the picture is called for screen readers, whose numbers are elsewhere.
    """
    names = "".join(f"<span>{escape(strip.name)}</span>" for strip in strips)
    scales = "".join(f"<span>±{written(strip.largest)}</span>" for strip in strips)
    rows = ([_cell(value, strip.largest) for value in strip.values.tolist()] for strip in strips)
    columns = "".join(
        f'<div title="{escape(title)}">{"".join(cells)}</div>'
        for title, *cells in zip(titles, *rows, strict=True)  # one column a dimension
    )
    return (
        f'<div class="strips" role="img" aria-label="{escape(label)}"><div class="names">{names}</div>'
        f'<div class="columns">{columns}</div><div class="scales">{scales}</div>'
        f'<div class="ends"><span>1</span><span>{len(titles)}</span></div></div>'
    )


def _cell(value: float, largest: float) -> str:
    share = abs(value) / largest if largest else 0.0
    if share < 0.005:
        return "<i></i>"
    sign = ' class="n"' if value < 0 else ""
    return f'<i{sign} style="--a:{share:.2f}"></i>'
