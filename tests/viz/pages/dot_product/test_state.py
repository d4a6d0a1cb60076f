"""What the matrix editor sends, and what somebody sends in its place."""

import pytest

from viz.pages.dot_product.state import Matrices, sent_matrices


def test_what_the_editor_sends_is_taken_also_while_it_is_no_matrix() -> None:
    typed = {**vars(Matrices()), "X": "1 two"}
    assert sent_matrices(typed) == Matrices(X="1 two")


@pytest.mark.parametrize("sent", [5, None, "X", {}, {"X": "1"}, {**vars(Matrices()), "X": [1]}])
def test_anything_else_changes_nothing(sent: object) -> None:
    assert sent_matrices(sent) is None
