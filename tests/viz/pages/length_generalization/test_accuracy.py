"""What is told of a task's results."""

import numpy as np
import pandas as pd

from tests.fixtures.zoo_results import zoo_runs
from viz.figures.cliff import Seeds
from viz.pages.length_generalization.accuracy import farthest, measured_at, steps_measured, tasks_measured


def test_the_farthest_is_right_the_most_past_its_training() -> None:
    lengths = (10, 20, 30, 40)
    found = {
        "best in training": Seeds(lengths, np.array([[1.0, 1.0, 0.2, 0.0]]), 0),
        "farthest": Seeds(lengths, np.array([[0.9, 0.9, 0.8, np.nan], [0.9, 0.9, 0.6, 0.1]]), 1),
        "not measured there": Seeds(lengths, np.array([[1.0, 1.0, np.nan, np.nan]]), 2),
    }
    assert farthest(found, 20) == "farthest"
    assert farthest({"not measured there": found["not measured there"]}, 20) == "not measured there"


def test_a_step_that_a_run_lacks_is_not_offered() -> None:
    rows = [
        ("sort", encoding, 1, checkpoint, step, length, step / 400)
        for encoding, steps in (("none", (100, 200, 300)), ("alibi", (100, 300)))
        for step in steps
        for length in (10, 20)
        for checkpoint in (("during", "best") if step == 300 else ("during",))
    ]
    columns = ["task", "encoding", "seed", "checkpoint", "step", "length", "exact_match"]
    results = pd.DataFrame(rows, columns=columns)
    assert steps_measured(results, "sort") == [100, 300]
    assert steps_measured(results, "reverse") == []
    assert measured_at(results, "sort", 100)["alibi"].values.tolist() == [[0.25, 0.25]]


def test_what_was_trained_on_a_few_tasks_moves_no_task_to_the_front() -> None:
    first = zoo_runs("copy_repeat", {"none": [0.5], "path": [0.5]})
    other = zoo_runs("reverse", {"none": [0.5], "path": [0.5], "path_published": [0.5], "shifted": [0.5]})
    assert tasks_measured(pd.concat([other, first])) == ["copy_repeat", "reverse"]
