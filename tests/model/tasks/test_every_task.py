"""What holds for every registered task; a new file in model/tasks is tested here by itself."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from model.tasks import (
    BOS_ID,
    EOS_ID,
    Task,
    TaskInputError,
    Tokens,
    draw_tests,
    draw_training,
    is_held_out,
    length_tasks,
    register,
    registered,
    row_of,
    vocabulary_of,
)
from model.tasks import registry as task_registry
from model.tasks.parity import Parity

LONGEST_ROW = 512  # what a learned table of the zoo has rows for

SOLVED = {
    "addition": ("53+7", "53+07=", "060"),
    "addition_coupled": ("53+17", "53+17=", "070"),
    "addition_coupled_apart": ("53+17", "53+17=", "070"),
    "addition_hints": ("53+18", "a3b5+a8b1=", "a1b7c0"),
    "addition_reversed": ("53+18", "35+81=", "170"),
    "copy_letters": ("abca", "abca>", "abca"),
    "copy_letters_twice": ("abc", "abc>", "abcabc"),
    "copy_repeat": ("aaa", "aaa>", "aaa"),
    "copy_repeat_twice": ("aaa", "aaa>", "aaaaaa"),
    "copy_replace": ("zzz", "zzz>", "aaa"),
    "induction": ("plants", "plants>p", "lants"),
    "lego": ("k=-1;b=-k;s=+b", "k=-1;b=-k;s=+b>", "+"),
    "lego_shuffled": ("b-k;s+1;k-1?b", "b-k;s+1;k-1?b", "-k-1+"),
    "majority": ("abcabb", "abcabb>", "b"),
    "modular_addition": ("12+47", "12 + 47 =", "6"),
    "parity": ("10110", "10110>", "1"),
    "parity_scratchpad": ("10110", "10110>", "11011"),
    "pcfg": ("append swap A B C, repeat D", "append swap A B C , repeat D >", "C B A D D"),
    "polynomial": ("-2;+3x2-1x1+2x0", "-2;+3x2-1x1+2x0>", "6"),
    "recall": ("k37b4x91c2?bkc", "k37b4x91c2?bkc>", "b4k3c2"),
    "reverse": ("abca", "abca>", "acba"),
    "reverse_coupled": ("abca", "abca>", "acba"),
    "reverse_twice": ("abc", "abc>", "cbacba"),
    "scan": (
        "jump opposite left after walk around right twice",
        "jump opposite left after walk around right twice >",
        "RTURN WALK " * 8 + "LTURN LTURN JUMP",
    ),
    "sort": ("k3Ba", "k3Ba>", "3akB"),
    "sort_numbers": ("42,1305,17", "42,1305,17>", "17,42,1305"),
    "sum_mod_10": ("3714", "3714>", "5"),
    "unique_copy": ("42 7 130", "42 7 130 >", "42 7 130"),
    "unique_reverse": ("42 7 130", "42 7 130 >", "130 7 42"),
    "unique_sort": ("42 7 130", "42 7 130 >", "7 42 130"),
}


@pytest.fixture(params=registered().values(), ids=lambda task: task.description.name)
def task(request: pytest.FixtureRequest) -> Task:
    return request.param


def some_lengths(task: Task) -> tuple[int, ...]:
    return (*task.training_lengths()[::3], task.description.test_lengths[-1])


def drawn(task: Task, n: int = 3) -> list[Tokens]:
    rng = random.Random(7)
    return [task.draw(length, rng) for length in some_lengths(task) for _ in range(n)]


def test_prompt_and_answer_are_those_worked_out_by_hand(task: Task) -> None:
    name = task.description.name
    assert name in SOLVED, f"add an example of {name} to SOLVED, worked by hand"
    typed, prompt, answer = SOLVED[name]
    inputs = task.parse(typed)
    assert task.join(task.prompt(inputs)) == prompt
    assert task.join(task.solve(inputs)) == answer


def test_inputs_have_the_length_asked_for_and_are_the_same_for_a_seed(task: Task) -> None:
    lengths = [task.length(inputs) for inputs in drawn(task, 1)]
    assert lengths == list(some_lengths(task))
    assert drawn(task) == drawn(task)


def test_the_vocabulary_holds_every_row_and_reads_it_back(task: Task) -> None:
    vocabulary = vocabulary_of(task)
    assert len(set(vocabulary.tokens)) == len(vocabulary)
    for inputs in drawn(task):
        row = row_of(task, vocabulary, inputs)
        assert row.ids[0] == BOS_ID
        assert (row.ids[-1] == EOS_ID) is task.has_end
        assert len(row.ids) <= LONGEST_ROW
        assert vocabulary.decode(row.ids[1 : row.n_prompt]) == task.prompt(inputs)
        assert vocabulary.decode(row.ids[row.n_prompt :]) == task.solve(inputs)
        assert row.positions is None or len(row.positions) == len(row.ids)


def test_the_checker_takes_the_right_answer_alone(task: Task) -> None:
    for inputs in drawn(task):
        answer = task.solve(inputs)
        assert task.is_right(inputs, answer)
        assert not task.is_right(inputs, answer[:-1])
        assert not task.is_right(inputs, (*answer, answer[-1]))
        other = next(
            token for token in (*task.description.alphabet, *task.description.more_tokens) if token not in answer
        )
        assert not task.is_right(inputs, (other, *answer[1:]))


def test_what_is_shown_can_be_typed(task: Task) -> None:
    for inputs in drawn(task):
        shown = task.identity(inputs)
        assert task.identity(task.parse(task.join(shown))) == shown


@pytest.mark.unchecked
def test_no_input_is_both_trained_and_tested_on(task: Task) -> None:
    rng = random.Random(3)
    lengths = task.training_lengths()
    found = [draw_training(task, rng.choice(lengths), rng) for _ in range(500)]
    trained = {task.identity(inputs) for inputs in found if inputs is not None}
    assert len(trained) > 20
    tested = {
        task.identity(inputs)
        for length in (*lengths[:4], lengths[-1])
        for seed in (1, 2)
        for inputs in draw_tests(task, length, 20, seed)
    }
    assert tested
    assert not trained & tested


@pytest.mark.unchecked
def test_held_out_are_a_share_of_trained_lengths_and_all_longer_inputs(task: Task) -> None:
    rng = random.Random(1)
    longest = task.training_lengths()[-1]
    inside = [is_held_out(task, task.draw(longest, rng)) for _ in range(300)]
    # Where few inputs of a length exist, a share of them may be far from that share.
    few_exist = task.description.name.startswith(("copy_rep", "scan"))
    assert few_exist or sum(inside) / len(inside) == pytest.approx(task.held_out_share, abs=0.08)
    longer = [length for length in task.description.test_lengths if length > longest]
    assert all(is_held_out(task, task.draw(length, rng)) for length in longer[:1] for _ in range(20))


@pytest.mark.unchecked
def test_tests_repeat_no_input_and_are_the_same_for_a_seed(task: Task) -> None:
    for length in some_lengths(task):
        tests = draw_tests(task, length, 20, 2)
        assert len({task.identity(inputs) for inputs in tests}) == len(tests)
        assert tests == draw_tests(task, length, 20, 2)
    assert len(draw_tests(task, task.description.test_lengths[-1], 200, 2)) in (26, 128, 200)


def test_lengths_to_measure_lie_inside_and_far_beyond_training(task: Task) -> None:
    described = task.description
    assert described.test_lengths == tuple(sorted(set(described.test_lengths)))
    assert described.test_lengths[0] <= described.train_lengths[1] <= described.test_lengths[-1] <= described.longest
    assert described.has_longer_inputs is (task.description.name in length_tasks())


@pytest.mark.unchecked
def test_what_guessing_gets_right_is_said(task: Task) -> None:
    rng = random.Random(1)
    answers = Counter(task.solve(task.draw(task.description.test_lengths[-1], rng)) for _ in range(500))
    assert answers.most_common(1)[0][1] / 500 == pytest.approx(task.description.guessed, abs=0.08)


def refused(task: Task, text: str) -> TaskInputError:
    with pytest.raises(TaskInputError) as caught:
        task.parse(text)
    return caught.value


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_nothing_is_refused(task: Task, text: str) -> None:
    assert refused(task, text).key == "nothing"


@pytest.mark.parametrize("symbol", ["é", "<eos>", "§", "\u200b", "<b>"])
def test_what_is_outside_the_alphabet_is_refused_by_name(task: Task, symbol: str) -> None:
    error = refused(task, f"{symbol} {task.description.example}")
    assert error.key == "unknown token"
    assert symbol.startswith(error.values["token"])


def test_ten_thousand_symbols_are_refused_in_few_words(task: Task) -> None:
    for token in task.description.alphabet[:2]:
        error = refused(task, task.join((token,) * 10_000))
        assert error.key in ("too long", "wrong form")
        assert len(str(error)) < 400
        assert "\n" not in str(error)


def test_an_input_too_long_is_refused_with_both_numbers(task: Task) -> None:
    longest = task.description.longest
    if task.description.name == "scan":
        pytest.skip("no command of the grammar asks for more actions than the longest one")
    typed = task.join(task.identity(task.draw(longest + 1, random.Random(5))))
    error = refused(task, typed)
    assert (error.key, error.values) == ("too long", {"length": longest + 1})


def test_a_registered_task_appears_by_itself() -> None:
    @register
    class Another(Parity):
        description = replace(Parity.description, name="another")

    assert isinstance(registered()["another"], Another)
    del task_registry._registry["another"]


def test_an_unknown_task_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"^'juggling' is no task; there are .*reverse"):
        task_registry.find("juggling")
