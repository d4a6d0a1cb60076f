import pytest

from model.tasks import find
from model.zoo.plan import ENCODINGS
from viz.pages.length_generalization.study.published import published


def test_every_published_task_is_one_of_ours_trained_alike() -> None:
    for name, paper in published().tasks.items():
        assert paper.trained == find(name).description.train_lengths
        assert paper.lengths[0] == paper.trained[1] + 1
        assert set(paper.exact_match) == set(published().encodings) <= set(ENCODINGS)
        assert all(0 <= value <= 1 for value in paper.exact_match.values())


def test_every_task_that_the_paper_only_plots_is_one_of_ours_and_has_no_numbers() -> None:
    for name in published().plots_only:
        find(name)
    assert not set(published().plots_only) & set(published().tasks)


def test_every_last_length_published_is_one_that_the_zoo_measures() -> None:
    for name, paper in published().tasks.items():
        assert paper.lengths[-1] in find(name).description.test_lengths


def test_the_mean_reciprocal_ranks_add_up_to_those_of_five_places() -> None:
    # 17 data sets rounded to three digits.
    assert sum(published().mean_reciprocal_rank.values()) == pytest.approx(1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5, abs=2e-3)
