"""Targets that are drawn: by which probabilities, by which seed, and never what may not be written."""

from collections import Counter
from dataclasses import replace

import pytest
import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.beam_search import GREEDY, DecodingOptions, beam_search
from model.decoding.compiled.packed_model import PackedModel
from model.decoding.sampling import SamplingOptions, nucleus
from model.decoding.sentence_search import ModelSearch, PackedSearch, SentenceSearch
from model.text.padding import pad
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNKNOWN_ID

SOURCE = [4, 9, 6, 7, EOS_ID]
SAMPLED = DecodingOptions(beam_size=1, max_extra_length=4, sampling=SamplingOptions(1.3, 0.9, 6))


@pytest.fixture
def model(make_model) -> EncoderDecoder:
    torch.manual_seed(3)
    return make_model(norm="pre")


@pytest.fixture(params=["model", "packed"])
def search(model: EncoderDecoder, request: pytest.FixtureRequest) -> SentenceSearch:
    return ModelSearch(model) if request.param == "model" else PackedSearch(PackedModel(model))


def tokens(search: SentenceSearch, options: DecodingOptions, prefix: tuple[int, ...] = ()) -> tuple[int, ...]:
    return search(SOURCE, options, prefix, 3).hypotheses[0].tokens


def test_the_seed_decides_what_is_drawn(search: SentenceSearch) -> None:
    drawn = [tokens(search, replace(SAMPLED, seed=seed)) for seed in range(8)]
    assert drawn == [tokens(search, replace(SAMPLED, seed=seed)) for seed in range(8)]
    assert len(set(drawn)) > 2


@pytest.mark.usefixtures("unchecked")
def test_tokens_are_drawn_by_the_probabilities_of_the_nucleus(model: EncoderDecoder) -> None:
    search, n = PackedSearch(PackedModel(model)), 1500
    with torch.no_grad():
        scores = model(torch.tensor([SOURCE]), torch.tensor([[BOS_ID]]))[0, 0]
    scores[[PAD_ID, BOS_ID, UNKNOWN_ID]] = -torch.inf
    expected = nucleus(scores, SAMPLED.sampling)
    found = Counter(tokens(search, replace(SAMPLED, seed=seed))[0] for seed in range(n))
    assert set(found) <= set(torch.nonzero(expected)[:, 0].tolist())
    for token, probability in enumerate(expected.tolist()):
        # Four standard deviations.
        assert found[token] / n == pytest.approx(probability, abs=4 * (probability * (1 - probability) / n) ** 0.5)


@pytest.mark.parametrize("sampling", [SamplingOptions(temperature=1e-4), SamplingOptions(top_k=1)])
def test_the_cold_and_the_single_most_probable_are_greedy(search: SentenceSearch, sampling: SamplingOptions) -> None:
    greedy = replace(GREEDY, max_extra_length=4)
    for prefix in ((), (5, 6)):
        assert tokens(search, replace(greedy, sampling=sampling, seed=7), prefix) == tokens(search, greedy, prefix)


def test_both_ways_of_running_draw_the_same(model: EncoderDecoder) -> None:
    ways = ModelSearch(model), PackedSearch(PackedModel(model))
    for seed in range(10):
        options = replace(SAMPLED, seed=seed)
        one, other = (way(SOURCE, options, (), 3) for way in ways)
        assert one.hypotheses[0].tokens == other.hypotheses[0].tokens
        assert one.hypotheses[0].log_probabilities == pytest.approx(other.hypotheses[0].log_probabilities, abs=1e-4)


def test_what_may_not_be_written_is_never_drawn(search: SentenceSearch) -> None:
    hot = replace(SAMPLED, sampling=SamplingOptions(1e6), ngram_size=1, max_ngram_repeats=1)
    for seed in range(20):
        drawn = [token for token in tokens(search, replace(hot, seed=seed)) if token != EOS_ID]
        assert not {PAD_ID, BOS_ID, UNKNOWN_ID} & set(drawn)
        assert len(set(drawn)) == len(drawn)


def test_a_beam_draws_nothing(model: EncoderDecoder) -> None:
    with pytest.raises(ValueError, match="beam_size is 4"):
        DecodingOptions(beam_size=4, sampling=SamplingOptions())
    with pytest.raises(ValueError, match="no search"):
        beam_search(model, pad([SOURCE]), SAMPLED)
