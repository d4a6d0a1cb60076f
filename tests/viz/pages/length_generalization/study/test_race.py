"""Answers of zoo models against right ones, and the attention behind them."""

from functools import partial

import numpy as np
import pytest
import torch

from model.architectures.decoder_only import DecoderOnly
from model.decoding.decoder import CausalDecoder
from model.decoding.generate import generate_greedily
from model.tasks import find, registered, row_of, vocabulary_of
from model.zoo.plan import ENCODINGS, make_run
from tests.fixtures.zoo import SIZES
from viz.base.attention_maps import AttentionKind, TokenRow
from viz.pages.length_generalization.study import race
from viz.pages.length_generalization.study.race import (
    TooLongToShowError,
    WrittenAnswer,
    answer,
    attention,
    drawn,
    longest_answer_trained,
    right_by_token,
    telling_head,
    typed,
)


def fresh(task: str, encoding: str) -> DecoderOnly:
    return DecoderOnly(make_run(task, encoding, 1, **SIZES).model).eval()


def test_right_answers_are_counted_token_by_token_and_what_is_missing_is_not_right() -> None:
    expected = ("a", "b", "<eos>")
    answers = [WrittenAnswer(written, expected) for written in (expected, ("a", "<eos>"), ("b", "b", "b"))]
    np.testing.assert_array_equal(right_by_token(answers), [2, 2, 1])


@pytest.mark.parametrize("task", ["copy_letters", "addition_coupled"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_answer_is_what_greedy_decoding_writes(encoding: str, task: str) -> None:
    model, known = fresh(task, encoding), find(task)
    inputs = drawn(known, 9, 1)
    row = row_of(known, vocabulary_of(known), inputs)
    given = row.positions
    positions = model.positional.test_positions(len(row.ids)) if given is None else torch.tensor(given)
    n = len(row.ids) - row.n_prompt
    start = partial(CausalDecoder, model, positions)
    written = generate_greedily(start, row.ids[: row.n_prompt], n, eos_id=model.config.eos_id)
    found = answer(model, known, inputs)
    assert vocabulary_of(known).encode(found.written) == written


def test_a_model_that_knows_the_answer_is_right_to_the_last_token(monkeypatch: pytest.MonkeyPatch) -> None:
    model, task = fresh("copy_letters", "none"), find("copy_letters")
    inputs = drawn(task, 6, 1)
    row = row_of(task, vocabulary_of(task), inputs)
    known = torch.nn.functional.one_hot(torch.tensor([row.ids[1:]]), model.config.vocabulary_size).float()
    monkeypatch.setattr(DecoderOnly, "forward", lambda *_, **__: known)
    found = answer(model, task, inputs)
    assert found.first_wrong is None
    assert found.written == found.expected == (*inputs, "<eos>")


def test_the_first_mistake_is_found() -> None:
    assert WrittenAnswer(tuple("abc"), tuple("abc")).first_wrong is None
    found = WrittenAnswer(tuple("axcx"), tuple("abcd"))
    assert found.is_right == (True, False, True, False)
    assert found.first_wrong == 1
    assert WrittenAnswer(("a", "<eos>"), ("a", "b", "<eos>")).first_wrong == 1


@pytest.mark.parametrize("task", registered())
def test_every_task_can_be_drawn_as_far_as_it_was_trained_or_says_why_not(task: str) -> None:
    known = find(task)
    low, high = known.description.train_lengths
    for length in range(low, known.description.longest + 1):
        try:
            inputs = drawn(known, length, 1)
        except ValueError:
            assert length not in known.training_lengths()
        else:
            assert inputs == drawn(known, length, 1)
            assert known.parse(typed(known, inputs)) == inputs
            assert known.length(inputs) == length
    assert 1 <= longest_answer_trained(task) < 200
    assert high in known.training_lengths()


def test_attention_is_recorded_for_all_that_was_read_and_written() -> None:
    model, task = fresh("copy_letters", "alibi"), find("copy_letters")
    inputs = ("a", "b", "c")
    found = answer(model, task, inputs)
    kind = attention(model, task, inputs, found)
    n = 1 + 3 + 1 + len(found.written) - 1
    assert kind.weights.shape == (2, 2, n, n)
    np.testing.assert_allclose(kind.weights.sum(-1), 1, atol=1e-5)
    assert not np.triu(kind.weights[0, 0], 1).any()
    assert kind.keys.labels[:5] == ("⟨start⟩", "a", "b", "c", ">")
    assert kind.queries.labels[:4] == ("a", "b", "c", ">")


def test_attention_of_too_many_tokens_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "MAX_TOKENS", 5)
    model, task = fresh("copy_letters", "none"), find("copy_letters")
    inputs = drawn(task, 6, 1)
    with pytest.raises(TooLongToShowError):
        attention(model, task, inputs, answer(model, task, inputs))


def test_a_diagonal_tells_more_than_a_column_or_an_even_pattern() -> None:
    even, column, diagonal = np.full((4, 4), 0.25), np.eye(4)[[0] * 4], np.eye(4)[::-1]
    weights = np.stack([[even, column], [diagonal, even]]).astype(np.float32)
    row = TokenRow(("a", "b", "c", "d"))
    assert telling_head(AttentionKind("decoder", weights, row, row)) == (1, 0)
