"""The tree of a search: what it kept, closed and left, as the search itself tells it."""

import math
from collections import Counter

import pytest
import torch

from model.decoding.beam_tree import Candidate, beam_tree, tokens_to
from model.decoding.decoder import TorchBackend
from model.decoding.options import DecodingOptions
from model.decoding.search import SearchResult, search_one
from model.text.tokenizer import EOS_ID

# A model is called often.
pytestmark = pytest.mark.unchecked

SOURCE = [4, 9, 6, 7, 10, 8, EOS_ID]
BEAM = DecodingOptions(beam_size=3, n_best=3, max_extra_length=4)
GREEDY = DecodingOptions(beam_size=1, max_extra_length=4, ngram_size=1, max_ngram_repeats=1)
PREFIXES = [(), (5, 6)]


@pytest.fixture(params=[0, 1, 2])
def model(make_model, request: pytest.FixtureRequest):
    torch.manual_seed(request.param)
    return make_model(norm="pre")


def searched(model, options: DecodingOptions, prefix=()) -> tuple[SearchResult, tuple[Candidate, ...]]:
    found = search_one(TorchBackend(model), SOURCE, options, prefix, n_alternatives=4)
    return found, beam_tree(found.steps, options, len(prefix))


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("options", [BEAM, GREEDY])
def test_every_hypothesis_is_a_path_that_was_closed(model, options, prefix) -> None:
    found, tree = searched(model, options, prefix)
    closed = {
        (*prefix, *tokens_to(tree, number)): one.score for number, one in enumerate(tree) if one.fate == "finished"
    }
    for hypothesis in found.hypotheses:
        assert closed[hypothesis.tokens] == pytest.approx(hypothesis.score, abs=1e-4)
    assert max(closed.values()) == pytest.approx(found.hypotheses[0].score, abs=1e-4)


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("options", [BEAM, GREEDY])
def test_a_path_is_worth_the_sum_of_its_tokens_and_goes_on_only_from_what_was_kept(model, options, prefix) -> None:
    found, tree = searched(model, options, prefix)
    given = sum(found.hypotheses[0].log_probabilities[: len(prefix)])
    for one in tree:
        before = given if one.parent is None else tree[one.parent].total
        assert one.total == pytest.approx(before + one.log_probability, abs=1e-4)
        assert one.score == pytest.approx(one.total / options.penalty(len(prefix) + one.step + 1))
        assert (one.parent is None) == (one.step == 0)
        assert one.parent is None or (tree[one.parent].fate, tree[one.parent].step) == ("kept", one.step - 1)
    kept = Counter(one.step for one in tree if one.fate == "kept")
    assert all(count <= options.beam_size for count in kept.values())


def test_of_each_step_the_best_candidates_that_do_not_end_are_kept(model) -> None:
    _, tree = searched(model, BEAM)
    for step in range(max(one.step for one in tree)):
        column = sorted((one for one in tree if one.step == step), key=lambda one: one.rank)
        assert [one.total for one in column] == sorted((one.total for one in column), reverse=True)
        going_on = [one.rank for one in column if one.token != EOS_ID][: BEAM.beam_size]
        assert [one.rank for one in column if one.fate == "kept"] == going_on


def test_a_greedy_tree_weighs_the_alternatives_of_each_step(model) -> None:
    found, tree = searched(model, GREEDY)
    for step, token in enumerate(found.hypotheses[0].tokens):
        column = [one for one in tree if one.step == step]
        assert [one.token for one in column if one.fate != "pruned"] == [token]
        assert {one.token for one in column} >= set(found.alternatives.tokens[step].tolist())
        assert sum(math.exp(one.log_probability) for one in column) <= 1 + 1e-5


@pytest.mark.parametrize("options", [BEAM, GREEDY])
def test_from_any_candidate_the_search_can_go_on(model, options) -> None:
    _, tree = searched(model, options)
    for number, one in enumerate(tree):
        if one.token != EOS_ID:
            path = tokens_to(tree, number)
            assert searched(model, options, path)[0].hypotheses[0].tokens[: len(path)] == path
