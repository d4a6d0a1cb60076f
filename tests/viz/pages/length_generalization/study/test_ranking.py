import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

from model.tasks import find, length_tasks
from viz.pages.length_generalization.study.published import PublishedTask
from viz.pages.length_generalization.study.ranking import (
    Score,
    compared_ranking,
    disagreements,
    first_two,
    judged_ranking,
    lengths_tested,
    mean_reciprocal_rank,
    means,
    n_compared,
    ranking,
    reciprocal_ranks,
    scores,
    without_gaps,
)


def ranks(*values: float) -> list[float]:
    return reciprocal_ranks(np.array(values, dtype=float)).tolist()


RUNS = {
    ("reverse", "none", 1): (1.0, 0.5, 0.5),
    ("reverse", "none", 2): (1.0, 1.0, 0.0),
    ("reverse", "t5", 1): (1.0, 0.25, 0.25),
}


def results() -> pd.DataFrame:
    rows = [
        (task, encoding, seed, checkpoint, length, value, 20, 100)
        for (task, encoding, seed), values in RUNS.items()
        for checkpoint, factor in (("best", 1.0), ("last", 0.0))
        for length, value in zip((20, 21, 40), (factor * value for value in values), strict=True)
    ]
    columns = ["task", "encoding", "seed", "checkpoint", "length", "exact_match", "longest_trained", "n"]
    return pd.DataFrame(rows, columns=columns).assign(validation_exact_match=1.0)


def paper(**exact_match: float) -> PublishedTask:
    return PublishedTask((2, 20), tuple(range(21, 41)), exact_match)


def test_a_score_is_the_mean_over_the_lengths_past_training_by_seed() -> None:
    found = scores(results())["reverse"]["none"]
    assert found.by_seed == pytest.approx({1: 0.5, 2: 0.5})
    assert (found.mean, found.low, found.high) == pytest.approx((0.5, 0.5, 0.5))
    assert means(scores(results()))["reverse"]["t5"] == pytest.approx(0.25)


def test_a_run_that_was_not_measured_far_enough_has_no_score() -> None:
    short = results()
    assert scores(short[short.length < 40]) == {}


def test_without_results_there_are_no_scores_and_no_ranking() -> None:
    assert scores(pd.DataFrame()) == {}
    assert ranking({}).tasks == compared_ranking({}, {"reverse": paper(none=1)}).tasks == ()


def test_a_task_of_the_paper_is_scored_at_its_lengths_and_another_one_up_to_twice_the_trained() -> None:
    assert lengths_tested("reverse") == tuple(range(21, 41))
    assert lengths_tested("scan")[:4] == (26, 27, 28, 30)
    longest = find("addition_hints").description.train_lengths[1]
    assert lengths_tested("addition_hints") == tuple(range(longest + 1, 2 * longest + 1))


@pytest.mark.parametrize("task", length_tasks())
def test_the_zoo_measures_as_far_as_a_score_asks_for(task: str) -> None:
    measured = find(task).description.test_lengths
    assert lengths_tested(task)[-1] in measured
    assert min(length for length in measured if length >= lengths_tested(task)[0]) == lengths_tested(task)[0]


def test_reciprocal_ranks_run_from_one_downwards() -> None:
    assert ranks(0.1, 0.9, 0.5) == pytest.approx([1 / 3, 1, 1 / 2])


def test_those_that_tie_share_their_places_whatever_their_order() -> None:
    shared = (1 / 2 + 1 / 3) / 2
    assert ranks(0, 0.9, 0) == pytest.approx([shared, 1, shared])
    assert ranks(0.5, 0.5) == pytest.approx([0.75, 0.75])


def test_differences_of_rounding_are_ties() -> None:
    assert ranks(0.1 + 0.2, 0.3) == pytest.approx([0.75, 0.75])


def test_reciprocal_ranks_are_those_of_scipy_in_every_draw() -> None:
    values = np.random.default_rng(3).random((7, 50))
    places = rankdata(-values, axis=0)
    np.testing.assert_allclose(reciprocal_ranks(values), 1 / places, rtol=1e-12)


def seeds(*values: float) -> Score:
    return Score(dict(enumerate(values)))


def test_a_first_place_holds_only_where_seeds_and_tasks_keep_it() -> None:
    apart = {"sort": {"a": seeds(0.9, 0.8, 0.95), "b": seeds(0.1, 0.2, 0.3), "c": seeds(0.0, 0.0, 0.05)}}
    rows = judged_ranking(apart, ranking(apart))
    assert [(row.name, row.may_be_best) for row in rows] == [("a", True), ("b", False), ("c", False)]
    assert [(row.low, row.high) for row in rows[:1]] == [(1, 1)]
    near = {"sort": {"a": seeds(0.9, 0.1, 0.5), "b": seeds(0.2, 0.8, 0.45)}}
    assert all(row.may_be_best for row in judged_ranking(near, ranking(near)))
    first, second = {"a": seeds(0.9, 0.9), "b": seeds(0.1, 0.1)}, {"a": seeds(0.1, 0.1), "b": seeds(0.9, 0.9)}
    by_task = {"sort": first, "reverse": first, "parity": second}
    assert all(row.may_be_best for row in judged_ranking(by_task, ranking(by_task)))


def test_a_rank_from_one_seed_has_no_spread() -> None:
    once = {"sort": {"a": seeds(0.9), "b": seeds(0.1, 0.2), "c": seeds(0.3, 0.4)}}
    rows = judged_ranking(once, ranking(once))
    assert [(row.name, row.may_be_best) for row in rows] == [("a", None), ("c", True), ("b", False)]


def test_what_has_not_learned_a_task_is_not_ranked_on_it() -> None:
    row = {"a": Score({1: 0.9, 2: 0.9}, has_learned=False), "b": seeds(0.5, 0.5), "c": seeds(0.1, 0.1)}
    found = ranking({"sort": row})
    assert (found.ours, found.unlearned) == ({"a": 0, "b": 1, "c": 0.5}, {"a": 1})


def test_a_task_that_most_have_not_learned_is_not_ranked() -> None:
    learned, not_learned = seeds(0.5, 0.5), Score({1: 0.1, 2: 0.2}, has_learned=False)
    table = {"sort": {"a": learned, "b": learned}, "reverse": {"a": learned, "b": not_learned}}
    assert ranking(table).tasks == ("sort",)


def test_every_family_counts_as_one() -> None:
    first, second = {"a": seeds(0.9, 0.9), "b": seeds(0.1, 0.1)}, {"a": seeds(0.1, 0.1), "b": seeds(0.9, 0.9)}
    found = ranking({"parity": first, "lego": first, "parity_scratchpad": first, "sort": second})
    assert found.by_family == {"state": {"a": 1, "b": 0.5}, "order": {"a": 0.5, "b": 1}}
    assert found.ours == {"a": 0.875, "b": 0.625}
    assert found.over_families == {"a": 0.75, "b": 0.75}


def test_the_mean_reciprocal_rank_is_over_tasks_among_those_asked_for() -> None:
    table = {"one": {"a": 1.0, "b": 0.0, "c": 0.5}, "two": {"a": 0.0, "b": 0.5, "c": 1.0}}
    assert mean_reciprocal_rank(table, ["one", "two"], ["a", "b"]) == pytest.approx({"a": 0.75, "b": 0.75})
    assert mean_reciprocal_rank(table, ["one", "two"], ["a", "b", "c"]) == pytest.approx(
        {"a": (1 + 1 / 3) / 2, "b": (1 / 3 + 1 / 2) / 2, "c": (1 / 2 + 1) / 2}
    )


def test_a_ranking_leaves_out_what_would_leave_a_gap() -> None:
    full = {"a": 1.0, "b": 0.5}
    tasks, encodings = without_gaps({"one": full, "two": full, "three": full, "four": {"a": 1.0, "rare": 1.0}})
    assert tasks == ("one", "two", "three")
    assert set(encodings) == {"a", "b"}


def test_the_largest_part_without_gaps_is_found_wherever_it_stands() -> None:
    table = {"early": {"odd": 1.0, "a": 1.0}, "late": {"a": 1.0, "b": 1.0, "c": 1.0}, "other": {"a": 1.0, "d": 0.5}}
    assert without_gaps(table) == (("late",), ("a", "b", "c"))
    table["last"] = {"c": 0.1, "a": 0.2, "e": 0.3}
    tasks, encodings = without_gaps(table)
    assert (tasks, encodings) == (("late", "last"), ("a", "c"))


def test_one_encoding_alone_is_not_ranked() -> None:
    assert without_gaps({"one": {"a": 1.0}, "two": {"a": 1.0}}) == ((), ())


def test_a_ranking_names_its_tasks_and_puts_the_best_first() -> None:
    found = ranking({"sort": {"a": seeds(0.1), "b": seeds(0.9)}})
    assert (found.tasks, found.best_first) == (("sort",), ("b", "a"))


def test_ours_and_theirs_are_ranked_among_the_same_encodings_over_the_same_tasks() -> None:
    ours = {"one": {"a": 0.9, "b": 0.1, "ours only": 1.0}, "ours only": {"a": 0.0, "b": 1.0}}
    theirs = {"one": paper(a=0.2, b=0.8, c=1.0), "theirs only": paper(a=1.0, b=0.0, c=0.5)}
    found = compared_ranking(ours, theirs)
    assert found.tasks == ("one",)
    assert found.ours == {"a": 1.0, "b": 0.5}
    assert found.theirs == {"a": 0.5, "b": 1.0}


def test_the_first_two_are_more_than_one_pair_where_some_tie() -> None:
    assert first_two({"a": 0.9, "b": 0.5, "c": 0.1}) == {("a", "b")}
    assert first_two({"a": 0.9, "b": 0.5, "c": 0.5}) == {("a", "b"), ("a", "c")}
    assert first_two({"a": 0.5, "b": 0.5, "c": 0.1}) == {("a", "b"), ("b", "a")}
    assert first_two({"a": 0.5}) == set()


def test_another_order_of_the_first_two_is_a_disagreement() -> None:
    (found,) = disagreements({"one": {"a": 0.5, "b": 0.4, "c": 0.1}}, {"one": paper(a=0.4, b=0.5, c=0.1)})
    assert (found.task, found.is_order, found.far) == ("one", True, ())


def test_a_tie_for_the_first_place_disagrees_with_neither_order() -> None:
    assert disagreements({"one": {"a": 0.5, "b": 0.5, "c": 0.1}}, {"one": paper(a=0.4, b=0.5, c=0.1)}) == []


def test_scores_far_apart_are_a_disagreement_the_farthest_first() -> None:
    ours = {"one": {"a": 0.9, "b": 0.3, "c": 0.0}}
    (found,) = disagreements(ours, {"one": paper(a=0.65, b=0.6, c=0.15)})
    assert (found.is_order, found.far) == (False, ("b", "a"))
    assert (found.ours["b"], found.theirs["b"]) == (0.3, 0.6)


def test_what_only_one_of_them_measured_is_no_disagreement() -> None:
    theirs = {"one": paper(a=0.9, b=0.8), "two": paper(a=0.1)}
    ours = {"one": {"b": 0.8, "c": 1.0}}
    assert disagreements(ours, theirs) == []
    assert n_compared(ours, theirs) == (1, 1)


def test_seeds_count_alike_in_a_mean() -> None:
    table = results()
    values = np.where((table.seed == 2) & (table.checkpoint == "best"), 1.0, table.exact_match)
    found = scores(table.assign(exact_match=values))["reverse"]["none"]
    assert found.mean == pytest.approx(0.75)
    assert (found.low, found.high) == pytest.approx((0.5, 1.0))
