"""A diverging grid with numbers: a score by the writers of query and key, or shares by head."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.figures.base import bare_axis, canvas, label_pixels, labels_of, upright_axis, upright_pixels
from viz.figures.cells import add_cells, add_numbers

_ROW = 20
# Smaller ones, of the largest, have no number.
_LEAST_WRITTEN = 0.1


def score_grid(
    products: Float[np.ndarray, "query key"],
    *,
    queries: Sequence[str],
    keys: Sequence[str],
    hovers: Sequence[Sequence[str]],
    places: int = 1,
) -> go.Figure:
    """Return the grid.

    Args:
        products: what each pair of a row and a column adds.
        queries: a label for each row, any text.
        keys: a label for each column, any text; they stand upright.
        hovers: the tooltip of each cell, any text.
        places: of the numbers, after the point.
    """
    n_rows, n_columns = products.shape
    head = upright_pixels(keys) + 6
    upright = upright_axis(keys, np.arange(n_columns), side="top")
    figure = canvas(
        width=None,
        height=head + _ROW * n_rows + 4,
        margin={"l": label_pixels(queries), "t": head, "b": 4},
        xaxis=upright | {"range": [-0.5, n_columns - 0.5]},
        yaxis=bare_axis(labels_of(queries), np.arange(n_rows), range=[n_rows - 0.5, -0.5]),
    )
    largest = float(np.abs(products).max()) or 1.0
    add_cells(figure, products, hovers, largest=largest, gap=2)
    add_numbers(figure, products, products / largest, written=_LEAST_WRITTEN, places=places)
    return figure
