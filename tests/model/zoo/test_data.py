"""Rows as batches: what is predicted, what is padded, and that nothing held out is trained on."""

import random
from itertools import islice

import pytest
import torch

from model.tasks import EOS_ID, PAD_ID, find, is_held_out, registered, row_of, vocabulary_of
from model.zoo.data import (
    endless_batches,
    fresh_batches,
    held_out_rows,
    make_batch,
    rows_between,
    shifted,
    training_rows,
    validation_rows,
)
from model.zoo.evaluate import NOT_ASKED, targets_of

REVERSE = find("reverse")
VOCABULARY = vocabulary_of(REVERSE)


def rows(*texts: str, task: str = "reverse") -> list:
    kind = find(task)
    return [row_of(kind, vocabulary_of(kind), kind.parse(text)) for text in texts]


def test_answers_and_their_end_alone_are_predicted() -> None:
    batch = make_batch(rows("abc", "z"))
    targets = targets_of(batch)
    c, b, a, z = VOCABULARY.encode(("c", "b", "a", "z"))
    none = NOT_ASKED
    assert targets.tolist() == [
        [none, none, none, none, c, b, a, EOS_ID],
        [none, none, z, EOS_ID, none, none, none, none],
    ]
    assert batch.tokens[1, 5:].tolist() == [PAD_ID] * 4


def test_training_draws_all_lengths_and_nothing_held_out() -> None:
    found = training_rows(REVERSE, 600, seed=1)
    letters = [VOCABULARY.decode(row.ids[1 : row.n_prompt - 1]) for row in found]
    assert {len(word) for word in letters} == set(range(2, 21))
    assert not any(is_held_out(REVERSE, word) for word in letters)


def test_training_depends_on_the_seed_and_on_nothing_else() -> None:
    assert training_rows(REVERSE, 50, seed=1) == training_rows(REVERSE, 50, seed=1)
    assert training_rows(REVERSE, 50, seed=1) != training_rows(REVERSE, 50, seed=2)


def test_validation_and_tests_are_held_out() -> None:
    for row in (*validation_rows(REVERSE, 60), *held_out_rows(REVERSE, 7, 20), *held_out_rows(REVERSE, 30, 20)):
        assert is_held_out(REVERSE, VOCABULARY.decode(row.ids[1 : row.n_prompt - 1]))


def test_an_epoch_has_every_row_once_and_little_padding() -> None:
    some = training_rows(REVERSE, 640, seed=1)
    batches = list(islice(endless_batches(some, 64, seed=1), 10))
    seen = sorted(
        tuple(ids[: ids.index(PAD_ID)] if PAD_ID in ids else ids) for b in batches for ids in b.tokens.tolist()
    )
    assert seen == sorted(tuple(row.ids) for row in some)
    padding = sum(int((batch.tokens == PAD_ID).sum()) for batch in batches)
    assert padding < 0.15 * sum(batch.tokens.numel() for batch in batches)


def test_batches_come_in_no_order_of_length_and_new_each_epoch() -> None:
    some = training_rows(REVERSE, 640, seed=1)
    lengths = [batch.tokens.shape[1] for batch in islice(endless_batches(some, 64, seed=1), 20)]
    assert lengths[:10] != sorted(lengths[:10])
    assert lengths[:10] != lengths[10:]


def test_rows_of_one_batch_agree_in_their_positions() -> None:
    some = training_rows(find("addition_coupled"), 200, seed=1)
    for batch in islice(endless_batches(some, 16, seed=1), 20):
        assert batch.positions is not None
        assert len(batch.positions) == batch.tokens.shape[1]
        assert not (batch.tokens == PAD_ID).any()


def test_a_shift_moves_every_position_but_that_of_bos() -> None:
    batch = make_batch(rows("53+17", task="addition_coupled"))
    assert shifted(batch, 9).positions.tolist()[1:] == (batch.positions[1:] + 9).tolist()
    assert shifted(batch, 9).positions[0] == 0
    counted = make_batch(rows("abc"))
    assert shifted(counted, 9) is counted


@pytest.mark.parametrize("task", [name for name, task in registered().items() if task.longest_shift])
def test_shifted_training_meets_every_position_of_the_longest_test(task: str) -> None:
    kind = find(task)
    rng = random.Random(1)
    longest = kind.positions(kind.draw(kind.description.longest, rng))
    trained = kind.positions(kind.draw(kind.training_lengths()[-1], rng))
    assert max(longest) <= max(trained) + kind.longest_shift
    assert torch.tensor(longest).min() == 0


def test_fresh_batches_never_end_nor_repeat_and_hold_nothing_back() -> None:
    task = find("unique_copy")
    batches = list(islice(fresh_batches(task, 8, seed=1), 80))
    assert all(len(batch.tokens) == 8 for batch in batches)
    seen = [tuple(row.tolist()) for batch in batches for row in batch.tokens]
    assert len({row for row in seen if PAD_ID not in row[:10]}) == len([row for row in seen if PAD_ID not in row[:10]])
    first = next(fresh_batches(task, 8, seed=1))
    assert torch.equal(first.tokens, batches[0].tokens)
    assert not torch.equal(first.tokens, next(fresh_batches(task, 8, seed=2)).tokens)


def test_rows_of_a_bin_are_held_out_and_of_all_its_lengths() -> None:
    task = find("unique_copy")
    drawn = rows_between(task, 41, 60, 400)
    lengths = [row.n_prompt - 2 for row in drawn]
    assert len(drawn) == 400
    assert set(lengths) == set(range(41, 61))
    assert drawn == rows_between(task, 41, 60, 400)
    assert all(is_held_out(task, vocabulary_of(task).decode(row.ids[1 : row.n_prompt - 1])) for row in drawn)
