"""Products of small matrices, as they are drawn."""

import re

import numpy as np

from viz.components.matrix_view import product_view


def test_the_shapes_of_a_product_fit_and_its_columns_are_those_of_the_right_matrix() -> None:
    q, k = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(4, 3)
    view = product_view(
        ("Q", q), ("Kᵀ", k.T), ("Q Kᵀ", q @ k.T), left_rows=("a", "b"), right_columns=("w", "x", "y", "<z>")
    )
    assert re.findall(r'<span class="shape">(.+?)</span>', view) == ["2×3", "3×4", "2×4"]
    assert view.count('<th scope="col">&lt;z&gt;</th>') == 2
    assert "3·9 + 4·10 + 5·11 = 122" in view
