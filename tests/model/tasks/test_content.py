"""Tasks that ask for content cannot be answered by place or by counting: what stands elsewhere misleads."""

import random

from model.tasks.lego_shuffled import LegoShuffled
from model.tasks.recall import QUERY, Recall

N = 1000


def test_the_parity_of_all_signs_is_wrong_for_half_of_shuffled_lego() -> None:
    task, rng = LegoShuffled(), random.Random(1)
    inputs = [task.draw(8, rng) for _ in range(N)]
    right = sum(task.solve(one)[-1] == "+-"[one.count("-") % 2] for one in inputs)
    assert 0.45 < right / N < 0.55


def test_the_last_sign_of_shuffled_lego_says_nothing_of_the_answer() -> None:
    task, rng = LegoShuffled(), random.Random(2)
    inputs = [task.draw(8, rng) for _ in range(N)]
    right = sum(task.solve(one)[-1] == [token for token in one if token in "+-"][-1] for one in inputs)
    assert 0.4 < right / N < 0.65


def test_a_letter_asked_for_stands_at_any_of_the_pairs() -> None:
    task, rng = Recall(), random.Random(3)
    places = set()
    for _ in range(N):
        inputs = task.draw(8, rng)
        keys = [token for token in inputs[: inputs.index(QUERY)] if token.isalpha()]
        places.add(keys.index(inputs[inputs.index(QUERY) + 1]))
    assert places == set(range(8))
