"""What is told of a task's results."""

import numpy as np

from viz.figures.cliff import Seeds
from viz.pages.length_generalization.accuracy import farthest


def test_the_farthest_is_right_the_most_past_its_training() -> None:
    lengths = (10, 20, 30, 40)
    found = {
        "best in training": Seeds(lengths, np.array([[1.0, 1.0, 0.2, 0.0]]), 0),
        "farthest": Seeds(lengths, np.array([[0.9, 0.9, 0.8, np.nan], [0.9, 0.9, 0.6, 0.1]]), 1),
        "not measured there": Seeds(lengths, np.array([[1.0, 1.0, np.nan, np.nan]]), 2),
    }
    assert farthest(found, 20) == "farthest"
    assert farthest({"not measured there": found["not measured there"]}, 20) == "not measured there"
