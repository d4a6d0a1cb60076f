"""What one pass says is what greedy decoding does."""

import math
from functools import partial

import jaxtyping
import pytest
import torch
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig
from model.decoding.decoder import CausalDecoder
from model.decoding.generate import generate_greedily
from model.positional import PositionalConfig
from model.tasks import EOS_ID, Row, find, vocabulary_of
from model.training.zoo.train import fresh_model, train
from model.zoo.data import held_out_rows, make_batch
from model.zoo.evaluate import (
    equal_batches,
    forward,
    measure,
    measure_known_length,
    measure_lengths,
    validate,
)
from model.zoo.plan import ENCODINGS, Recipe, make_run

SIZES = {"d_model": 32, "n_heads": 2, "d_key": 16, "d_value": 16, "d_ff": 64, "n_layers": 2}


@pytest.fixture(scope="module", params=["parity", "parity_scratchpad"])
def half_trained(request: pytest.FixtureRequest) -> tuple[DecoderOnly, list[Row]]:
    """A model that has learned little, and rows to ask: of one kind it gets some right, in the other it errs late."""
    jaxtyping.config.update("jaxtyping_disable", True)
    run = make_run(request.param, "sinusoidal", 1, Recipe(n_steps=30, n_training=400, n_test=5), **SIZES)
    trained = train(run, lambda _: None)
    jaxtyping.config.update("jaxtyping_disable", False)
    model = DecoderOnly(run.model).eval()
    model.load_state_dict(trained.best_weights)
    return model, held_out_rows(find(request.param), 11, 40)


@pytest.mark.unchecked
def test_exact_match_and_first_mistake_are_those_of_greedy_writing(
    half_trained: tuple[DecoderOnly, list[Row]],
) -> None:
    model, rows = half_trained
    measured = measure(model, rows, 11)
    start = partial(CausalDecoder, model)
    written = [generate_greedily(start, row.ids[: row.n_prompt], 20, eos_id=EOS_ID) for row in rows]
    right = [row.ids[row.n_prompt :] for row in rows]
    assert measured.n == len(rows)
    assert measured.exact_match == sum(map(list.__eq__, written, right)) / len(rows)
    first_wrong = [
        next(place for place, (token, asked) in enumerate(zip(wrong, answer, strict=False), 1) if token != asked)
        for wrong, answer in zip(written, right, strict=True)
        if wrong != answer
    ]
    assert measured.first_wrong == pytest.approx(sum(first_wrong) / len(first_wrong))
    assert 0 < measured.exact_match < 1 or max(first_wrong) > 1


def test_no_mistake_has_no_place() -> None:
    rows = held_out_rows(find("parity"), 12, 10)
    answer = rows[0].ids[-2]
    model = DecoderOnly(DecoderOnlyConfig(6, **SIZES)).eval()
    with torch.no_grad():
        model.embedding.weight.zero_()
        model.embedding.weight[:, :2] = torch.eye(6)[:, [answer, EOS_ID]]
        model.final_norm.weight.zero_()
        model.final_norm.bias[:2] = torch.tensor([2.0, 1.0])
    alike = [Row([*row.ids[: row.n_prompt], answer], row.n_prompt, None) for row in rows]
    measured = measure(model, alike, 12)
    assert measured.exact_match == 1
    assert math.isnan(measured.first_wrong)


def test_every_test_length_with_examples_is_measured() -> None:
    task = find("copy_repeat")
    model = DecoderOnly(make_run("copy_repeat", "none", 1, **SIZES).model).eval()
    measured = measure_lengths(model, task, 4)
    assert [one.length for one in measured if one.length > 20] == [n for n in task.description.test_lengths if n > 20]
    assert all(one.n == 4 for one in measured if one.length > 20)


def test_no_examples_are_refused() -> None:
    model = DecoderOnly(DecoderOnlyConfig(6, **SIZES)).eval()
    with pytest.raises(ValueError, match="no examples of length 5"):
        measure(model, [], 5)
    assert validate(model, held_out_rows(find("parity"), 8, 5))[0] <= 1


def test_randomized_positions_are_spread_in_tests_as_in_training() -> None:
    config = DecoderOnlyConfig(6, positional=ENCODINGS["randomized"], **SIZES)
    model = DecoderOnly(config).eval()
    places = model.positional.map_positions(model.positional.test_positions(20))
    assert len(set(places.tolist())) == 20
    assert places.tolist() == sorted(places.tolist())
    assert places[-1] - places[0] > 250
    assert torch.equal(DecoderOnly(DecoderOnlyConfig(6)).positional.test_positions(4), torch.arange(4))
    with pytest.raises(ValueError, match="test sample too short: n_tokens = 600, available = 512"):
        model.positional.test_positions(600)


@pytest.mark.parametrize(("task", "length"), [("copy_letters", 10), ("copy_repeat", 30)])
def test_what_random_positions_reach_is_a_mean_over_several_draws(task: str, length: int) -> None:
    seen: list[tuple[tuple[int, ...], int]] = []

    def note(_: object, inputs: tuple[Tensor], named: dict[str, Tensor]) -> None:
        seen.append((tuple(named["positions"].tolist()), len(inputs[0])))

    model = DecoderOnly(make_run(task, "randomized", 1, **SIZES).model).eval()
    model.register_forward_pre_hook(note, with_kwargs=True)
    rows = held_out_rows(find(task), length, 200)
    measure(model, rows, length)
    assert sum(n for _, n in seen) == len(rows)
    assert len({positions for positions, _ in seen}) == len(seen) >= 7
    assert max(n for _, n in seen) <= len(rows) / 6


def test_positions_that_are_not_random_are_measured_at_once() -> None:
    rows = held_out_rows(find("copy_letters"), 10, 100)
    assert len([*equal_batches(rows)]) == 1
    assert DecoderOnly(make_run("copy_letters", "none", 1, **SIZES).model).positional.n_test_draws == 1


def test_every_encoding_of_the_zoo_reads_the_longest_row() -> None:
    rows = held_out_rows(find("sort_numbers"), 40, 2)
    for name, positional in ENCODINGS.items():
        config = DecoderOnlyConfig(len(vocabulary_of(find("sort_numbers"))), positional=positional, **SIZES)
        assert measure(DecoderOnly(config).eval(), rows, 40).n == 2, name
    assert isinstance(ENCODINGS["none"], PositionalConfig)


@pytest.mark.parametrize("encoding", ["alibi", "cope", "fire", "rotary", "sinusoidal"])
def test_a_model_is_measured_on_its_own_device(encoding: str) -> None:
    device = torch.device("meta")
    model = fresh_model(make_run("copy_letters", encoding, 1, **SIZES)).to(device).eval()
    batch = make_batch(held_out_rows(find("copy_letters"), 5, 3)).to(device)
    assert forward(model, batch).device == device


@pytest.mark.unchecked
def test_with_the_length_known_only_other_mistakes_count(half_trained: tuple[DecoderOnly, list[Row]]) -> None:
    model, rows = half_trained

    def written(row: Row) -> list[int]:
        ids = list(row.ids[: row.n_prompt])
        while len(ids) < len(row.ids) - 1:
            logits = model(torch.tensor([ids]))[0, -1]
            logits[EOS_ID] = -math.inf
            ids.append(int(logits.argmax()))
        return ids

    with torch.inference_mode():
        right = [written(row) == row.ids[:-1] for row in rows]
    assert measure_known_length(model, rows) == sum(right) / len(rows)
    assert measure_known_length(model, rows) >= measure(model, rows, 11).exact_match
