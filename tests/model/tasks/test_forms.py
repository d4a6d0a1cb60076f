"""What single tasks must keep to, beyond what holds for all."""

import random
import re
from collections import defaultdict

import pytest

from model.tasks import TaskInputError, draw_training, find, is_held_out, length_tasks
from model.tasks.base import lengths_to_measure
from model.tasks.modular_addition import MODULUS
from model.tasks.scan import _commands


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("copy_repeat", "aab"),
        ("addition", "12"),
        ("addition", "1+2+3"),
        ("addition", "+3"),
        ("modular_addition", "12"),
        ("modular_addition", "12+"),
        ("modular_addition", "12 13"),
        ("modular_addition", "+ + +"),
        ("addition_hints", "4+"),
        ("sort_numbers", "9,10"),
        ("sort_numbers", "10,,12"),
        ("sort_numbers", "10,12345"),
        ("polynomial", "3;+1x1"),
        ("polynomial", "2;1x1"),
        ("polynomial", "2;"),
        ("lego", "a=+1;b=-c"),
        ("lego", "a=+b"),
        ("lego", "a=+1;a=-a"),
        ("lego_shuffled", "a+1"),
        ("lego_shuffled", "a+b?a"),
        ("lego_shuffled", "a+b;b-a?a"),
        ("lego_shuffled", "a+1;a-1?a"),
        ("lego_shuffled", "a+1?b"),
        ("recall", "k3b4?kb"),
        ("recall", "k3k4b1x2?kbx"),
        ("recall", "k3b4x2?kbc"),
        ("recall", "kb4x2?kbx"),
        ("scan", "walk walk"),
        ("scan", "walk and"),
        ("scan", "walk and run and jump"),
        ("pcfg", "append A B"),
        ("pcfg", "A B"),
        ("pcfg", "copy A , B"),
    ],
)
def test_what_makes_no_input_is_refused_with_the_form(task: str, text: str) -> None:
    with pytest.raises(TaskInputError) as caught:
        find(task).parse(text)
    assert caught.value.key == "wrong form"
    assert caught.value.values["given"] == find(task).join(find(task).split(text))
    assert re.search("(for example|such as) .+", caught.value.values["form"])


def test_an_answer_that_would_grow_without_end_is_refused() -> None:
    with pytest.raises(TaskInputError) as caught:
        find("pcfg").parse("repeat repeat repeat repeat A B C D")
    assert caught.value.key == "answer too long"
    assert caught.value.values == {"length": 64, "unit": "letters", "longest_answer": 40}


def test_scan_has_the_published_number_of_commands() -> None:
    assert sum(map(len, _commands().values())) == 20_910


def test_digits_of_one_place_share_a_position() -> None:
    task = find("addition_coupled")
    inputs = task.draw(4, random.Random(0))
    tokens = ("<bos>", *task.prompt(inputs), *task.solve(inputs), "<eos>")
    placed = defaultdict(list)
    for token, position in zip(tokens, task.positions(inputs), strict=True):
        placed[position].append(token)
    first, second = inputs[:4], inputs[5:]
    answer = task.solve(inputs)[::-1]  # from its first digit
    for place in range(4):
        assert placed[2 + place] == [first[place], second[place], answer[1 + place]]
    assert placed[1] == [answer[0]]


def test_apart_each_digit_of_the_sum_stands_one_after_its_place() -> None:
    task, apart = find("addition_coupled"), find("addition_coupled_apart")
    inputs = task.draw(6, random.Random(0))
    together, moved = task.positions(inputs), apart.positions(inputs)
    n_numbers = 1 + 6
    assert moved[:n_numbers] == together[:n_numbers]
    assert moved[-8:-1] == tuple(position + 1 for position in together[-8:-1])


def test_a_reversed_letter_shares_its_position() -> None:
    task = find("reverse_coupled")
    positions = task.positions(tuple("abc"))
    assert positions == (0, 1, 2, 3, 4, 3, 2, 1, 0)


def test_hints_name_the_place_of_each_digit() -> None:
    task = find("addition_hints")
    inputs = task.draw(5, random.Random(2))
    prompt, answer = "".join(task.prompt(inputs)), "".join(task.solve(inputs))
    first, second = prompt[:-1].split("+")
    assert first[::2] == second[::2] == answer[::2][:5]
    assert int(answer[1::2][::-1]) == int(first[1::2][::-1]) + int(second[1::2][::-1])


def test_lengths_are_close_after_the_trained_ones_and_wide_far_away() -> None:
    assert lengths_to_measure(20) == (5, 10, 15, 20, 21, 22, 24, 26, 28, 30, 32, 36, 40, 50, 60, 80, 100)
    assert max(lengths_to_measure(20, 50)) == 50


def test_all_pairs_of_modular_addition_are_split_once_and_for_all_and_it_is_no_task_of_lengths() -> None:
    task = find("modular_addition")
    pairs = {(str(a), "+", str(b)) for a in range(MODULUS) for b in range(MODULUS)}
    rng = random.Random(1)
    trained = {draw_training(task, 2, rng) for _ in range(8_000)}
    held_out = {pair for pair in pairs if is_held_out(task, pair)}
    assert trained <= pairs - held_out
    assert len(trained) > 0.95 * len(pairs - held_out)
    assert "modular_addition" not in length_tasks()
