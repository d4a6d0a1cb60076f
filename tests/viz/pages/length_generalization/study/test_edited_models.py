"""What a change does to the cliff, as numbers."""

import math

import pytest

from model.positional import PositionalConfig
from model.tasks import find
from tests.model.analysis.interventions.test_edited_models import make
from viz.pages.length_generalization.figures.against_length import LengthAxes
from viz.pages.length_generalization.figures.before_after import before_after
from viz.pages.length_generalization.study.edited_models import (
    Edits,
    LargestChange,
    Point,
    answer,
    mean_beyond,
    moved_most,
    trained_positions,
)


def points(**values: float) -> dict[int, Point]:
    return {int(length[1:]): Point(value, 10) for length, value in values.items()}


def test_the_largest_move_is_told_the_shortest_length_first() -> None:
    before, after = points(_5=1, _20=0.5, _30=0.25), points(_5=1, _20=0.25, _30=0.5)
    assert moved_most(before, after) == LargestChange(20, Point(0.5, 10), Point(0.25, 10))


def test_lengths_with_few_inputs_are_left_out_where_others_have_more() -> None:
    before = {5: Point(1, 2), 20: Point(1, 25)}
    assert moved_most(before, {5: Point(0, 2), 20: Point(0.5, 25)}) == LargestChange(20, Point(1, 25), Point(0.5, 25))


def test_the_mean_past_training_is_of_what_was_measured_there() -> None:
    cliff = points(_5=1, _20=1, _30=0.5, _40=0.25)
    assert mean_beyond(cliff, [5, 20, 30, 40], 20) == 0.375
    assert math.isnan(mean_beyond(cliff, [5, 20], 20))


def test_a_small_move_or_none_at_all_is_no_move() -> None:
    assert moved_most(points(_5=1), points(_5=0.96)) is None
    assert moved_most(points(_5=1), {}) is None


def test_only_what_differs_from_training_is_a_change() -> None:
    model = make(PositionalConfig("alibi"))
    assert not Edits(PositionalConfig("alibi")).changes(model)
    for reach in (
        Edits(PositionalConfig("none")),
        Edits(PositionalConfig("alibi"), tau=2),
        Edits(PositionalConfig("alibi"), shift=1),
        Edits(PositionalConfig("alibi"), grows=True),
    ):
        assert reach.changes(model)


def test_logits_grow_with_the_logarithm_past_the_trained_lengths_alone() -> None:
    growing = Edits(PositionalConfig("none"), tau=1.5, grows=True)
    assert growing.tau_at(10, 10) == growing.tau_at(2, 10) == 1.5
    assert growing.tau_at(100, 10) == pytest.approx(3.0)
    assert Edits(PositionalConfig("none"), tau=1.5).tau_at(100, 10) == 1.5


def test_an_answer_says_on_how_many_inputs_it_rests() -> None:
    model = make(PositionalConfig("none"), 40)
    assert answer(Edits(PositionalConfig("alibi"), shift=3).applied(model), 1.2, find("copy_repeat"), 30).n == 26


def test_the_trained_positions_hold_prompt_and_answer() -> None:
    task = find("copy_repeat")
    assert trained_positions(task) == 2 * task.description.train_lengths[1] + 3  # BOS, the sign between, EOS
    coupled = find("reverse_coupled")
    assert trained_positions(coupled) < 2 * coupled.description.train_lengths[1]


def test_both_lines_are_drawn_and_names_are_text() -> None:
    def draw(after: dict[int, float]):
        return before_after(
            {5: 1.0, 40: 0.5},
            after,
            names=("<b>a", "b"),
            colour="#123456",
            axes=LengthAxes(20, x_name="<i>", y_name="y", marked="<u>"),
        )

    assert len(draw({}).data) == 1
    first, second = draw({5: 0.25}).data
    assert first.name == "&lt;b&gt;a"
    assert first.y.tolist() == [1, 0.5]
    assert second.y.tolist() == [0.25]
    assert draw({}).layout.shapes[0].x0 == 20
