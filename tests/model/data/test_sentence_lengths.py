"""Test pairs by the length of their source."""

from model.data.loading import Pair
from model.data.sentence_lengths import FEWEST, by_length, held_out_by_length, n_words

PAIRS = [Pair(" ".join("w" * n), str(n)) for n in range(1, 70) for _ in range(FEWEST // 2)]


def test_every_set_holds_pairs_of_its_lengths_and_no_more_than_asked_for() -> None:
    sets = by_length(PAIRS, "whole", most=5, seed=1)
    assert [test.shortest for test in sets] == [4, 7, 10, 13, 16, 19, 25, 37, 49]
    assert all(len(test.pairs) == 5 for test in sets)
    assert all(test.shortest <= n_words(pair) <= test.longest for test in sets for pair in test.pairs)
    assert all(test.shortest <= test.mean_words <= test.longest for test in sets)
    assert sets == by_length(PAIRS, "whole", most=5, seed=1)
    assert sets != by_length(PAIRS, "whole", most=5, seed=2)


def test_a_few_pairs_make_no_set() -> None:
    assert by_length([pair for pair in PAIRS if n_words(pair) in (4, 7, 8)], "whole", most=5, seed=1)[0].shortest == 7


def test_what_was_trained_on_is_no_test() -> None:
    held_out = held_out_by_length(PAIRS[:3], PAIRS, 12)
    assert held_out[:3] == PAIRS[:3]
    assert all(n_words(pair) > 12 for pair in held_out[3:])
