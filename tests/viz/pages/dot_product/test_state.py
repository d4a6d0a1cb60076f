"""What the matrix editor sends, and what somebody sends in its place."""

from itertools import product

import numpy as np
import pytest

from viz.base.link_parameters import parameters_of
from viz.pages.dot_product.state import Matrices, matrices_from_link, sent_matrices
from viz.pages.dot_product.study.by_hand import parse_matrix

NO_NUMBERS = ("1e400", "-inf", "NaN", "9" * 400, "9" * 5000, f"{'0' * 5000}1", "1_0", "\N{ARABIC-INDIC DIGIT THREE}")


def test_what_the_editor_sends_is_taken_also_while_it_is_no_matrix() -> None:
    typed = {**vars(Matrices()), "X": "1 two"}
    assert sent_matrices(typed) == Matrices(X="1 two")


@pytest.mark.parametrize("sent", [5, None, "X", {}, {"X": "1"}, {**vars(Matrices()), "X": [1]}])
def test_anything_else_changes_nothing(sent: object) -> None:
    assert sent_matrices(sent) is None


def test_a_matrix_of_a_link_is_finite_or_refused() -> None:
    for name, value in product(parameters_of(Matrices), NO_NUMBERS):
        matrices, error = matrices_from_link({name: value})
        assert error or np.isfinite(parse_matrix(name, getattr(matrices, name))).all(), (name, value[:6])
