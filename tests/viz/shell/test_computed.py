"""What is computed of published results."""

import pandas as pd

from viz.shell.computed import computed_once

CALLS: list[tuple[int, str]] = []


def total(frame: pd.DataFrame, column: str) -> int:
    CALLS.append((len(frame), column))
    return int(frame[column].sum())


def test_it_is_computed_once_for_each_frame_and_argument() -> None:
    CALLS.clear()
    computed = computed_once(total, max_entries=8)
    first, equal = (pd.DataFrame({"a": [1, 2], "b": [3, 4]}) for _ in range(2))
    assert [computed(first, "a"), computed(first, "b"), computed(first, "a"), computed(equal, "a")] == [3, 7, 3, 3]
    assert CALLS == [(2, "a"), (2, "b"), (2, "a")]


def test_another_frame_is_never_taken_for_one_that_is_gone() -> None:
    computed = computed_once(total, max_entries=2)
    assert [computed(pd.DataFrame({"a": [number]}), "a") for number in range(200)] == [*range(200)]
