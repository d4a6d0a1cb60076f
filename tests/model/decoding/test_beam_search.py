"""Greedy and beam search against searches written out without cache, batch or early stopping."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from itertools import product

import pytest
import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.beam_search import beam_search
from model.decoding.decoder import Hypothesis, TorchBackend
from model.decoding.options import GREEDY, DecodingOptions, SamplingOptions
from model.hooks import record
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNKNOWN_ID
from tests.model.decoding.searching import search_rows

SENTENCES = [[4, 5, 6, 7, 8, EOS_ID], [9, EOS_ID], [10, 4, 4, EOS_ID]]
NO_TEXT = {PAD_ID, BOS_ID, UNKNOWN_ID}


@pytest.fixture
def model(make_model: Callable[..., EncoderDecoder]) -> EncoderDecoder:
    return make_model(n_encoder_layers=1, n_decoder_layers=1)


def padded(sentences: Sequence[Sequence[int]]) -> torch.Tensor:
    width = max(map(len, sentences))
    return torch.tensor([[*sentence, *[PAD_ID] * (width - len(sentence))] for sentence in sentences])


@torch.inference_mode()
def log_probabilities_after(
    model: EncoderDecoder, source: Sequence[int], targets: Sequence[Sequence[int]]
) -> list[list[float]]:
    """Log-probability of every token after each of ``targets``, all of one length."""
    read = torch.tensor([[BOS_ID, *target] for target in targets])
    return model(torch.tensor([source] * len(targets)), read)[:, -1].log_softmax(-1).tolist()


def next_log_probabilities(model: EncoderDecoder, source: Sequence[int], target: Sequence[int]) -> list[float]:
    return log_probabilities_after(model, source, [target])[0]


def n_repeats(tokens: Sequence[int], size: int) -> int:
    """Return how often the most frequent run of ``size`` tokens stands in ``tokens``."""
    runs = [tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1)]
    return max(map(runs.count, runs), default=0)


def reference_beam_search(
    model: EncoderDecoder, source: Sequence[int], options: DecodingOptions, prefix: Sequence[int] = ()
) -> list[Hypothesis]:
    """Search one sentence to the length limit, with a full pass for each step of each beam."""

    def finish(tokens: tuple[int, ...], log_probabilities: tuple[float, ...]) -> Hypothesis:
        penalty = ((5 + len(tokens)) / 6) ** options.length_penalty
        return Hypothesis(tokens, log_probabilities, sum(log_probabilities) / penalty)

    def is_allowed(tokens: Sequence[int]) -> bool:
        size = options.ngram_size
        runs = [tokens[start : start + size] for start in range(len(tokens) - size + 1)]
        return size == 0 or tokens[-1] == EOS_ID or runs.count(tokens[-size:]) <= options.max_ngram_repeats

    forced = [next_log_probabilities(model, source, prefix[:place])[token] for place, token in enumerate(prefix)]
    beams = [(tuple(prefix), tuple(forced))]
    finished: list[Hypothesis] = []
    limit = max(len(source) + options.max_extra_length, len(prefix) + 1)
    is_greedy = options.beam_size == 1
    while beams and len(beams[0][0]) < limit and not (is_greedy and finished):
        following = log_probabilities_after(model, source, [tokens for tokens, _ in beams])
        candidates = [
            ((*tokens, token), (*log_probabilities, log_probability))
            for (tokens, log_probabilities), row in zip(beams, following, strict=True)
            for token, log_probability in enumerate(row)
            if token not in NO_TEXT and is_allowed((*tokens, token))
        ]
        candidates.sort(key=lambda candidate: -sum(candidate[1]))
        finished += [finish(*candidate) for candidate in candidates[: options.beam_size] if candidate[0][-1] == EOS_ID]
        beams = [candidate for candidate in candidates if candidate[0][-1] != EOS_ID][: options.beam_size]
    finished = finished or [finish(*beam) for beam in beams]
    return sorted(finished, key=lambda hypothesis: -hypothesis.score)[: options.n_best]


def assert_same(found: list[Hypothesis], expected: list[Hypothesis]) -> None:
    assert [hypothesis.tokens for hypothesis in found] == [hypothesis.tokens for hypothesis in expected]
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.score == pytest.approx(theirs.score, abs=1e-4)
        assert ours.log_probabilities == pytest.approx(theirs.log_probabilities, abs=1e-4)


OPTIONS = [
    DecodingOptions(beam_size=1, max_extra_length=4),
    DecodingOptions(beam_size=4, max_extra_length=4),
    DecodingOptions(beam_size=4, n_best=4, max_extra_length=3, length_penalty=0.0),
    DecodingOptions(beam_size=3, n_best=2, max_extra_length=5, length_penalty=1.5, ngram_size=1, max_ngram_repeats=1),
    DecodingOptions(beam_size=2, n_best=2, max_extra_length=6, ngram_size=0),
]


@pytest.mark.unchecked
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_search_equals_one_without_cache_batch_or_early_stop(make_model, options, seed: int) -> None:
    torch.manual_seed(seed)
    model = make_model(n_encoder_layers=1, n_decoder_layers=1)
    found = search_rows(model, padded(SENTENCES), options)
    for sentence, hypotheses in zip(SENTENCES, found, strict=True):
        assert_same(hypotheses, reference_beam_search(model, sentence, options))


@pytest.mark.parametrize("options", OPTIONS)
def test_a_batch_equals_its_sentences_one_by_one(model: EncoderDecoder, options) -> None:
    together = search_rows(model, padded(SENTENCES), options)
    for sentence, hypotheses in zip(SENTENCES, together, strict=True):
        assert_same(hypotheses, search_rows(model, padded([sentence]), options)[0])


def test_beam_size_1_takes_the_most_probable_token_at_each_step(model: EncoderDecoder) -> None:
    assert GREEDY.beam_size == 1
    options = dataclasses.replace(GREEDY, ngram_size=0, max_extra_length=6)
    ((hypothesis,),) = search_rows(model, padded(SENTENCES[:1]), options)
    for place, token in enumerate(hypothesis.tokens):
        log_p = next_log_probabilities(model, SENTENCES[0], hypothesis.tokens[:place])
        assert log_p[token] == max(value for other, value in enumerate(log_p) if other not in NO_TEXT)


@pytest.mark.unchecked
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("length_penalty", [0.0, 0.6, 2.0])
def test_a_beam_as_wide_as_the_space_finds_the_best_of_all(make_model, seed: int, length_penalty: float) -> None:
    torch.manual_seed(seed)
    model = make_model(vocabulary_size=7, n_encoder_layers=1, n_decoder_layers=1)
    source, limit = [4, 6, EOS_ID], 4
    options = DecodingOptions(
        beam_size=200, n_best=5, length_penalty=length_penalty, max_extra_length=limit - len(source), ngram_size=0
    )

    ranked = []
    for length in range(limit):
        targets = [(*middle, EOS_ID) for middle in product((4, 5, 6), repeat=length)]
        totals = torch.zeros(len(targets))
        for place in range(length + 1):
            log_p = torch.tensor(log_probabilities_after(model, source, [target[:place] for target in targets]))
            totals += log_p[range(len(targets)), [target[place] for target in targets]]
        ranked += zip((totals / ((6 + length) / 6) ** length_penalty).tolist(), targets, strict=True)
    assert len(ranked) == 1 + 3 + 9 + 27
    ranked.sort(reverse=True)
    (found,) = search_rows(model, padded([source]), options)
    assert [hypothesis.tokens for hypothesis in found] == [tokens for _, tokens in ranked[:5]]
    assert [hypothesis.score for hypothesis in found] == pytest.approx([value for value, _ in ranked[:5]], abs=1e-4)


@pytest.mark.unchecked
@pytest.mark.parametrize("prefix", [(9,), (4, 4, 5), tuple([6, 7] * 9)])
@pytest.mark.parametrize("beam_size", [1, 3])
def test_a_forced_prefix_begins_every_hypothesis(model: EncoderDecoder, prefix, beam_size: int) -> None:
    options = DecodingOptions(beam_size=beam_size, n_best=beam_size, max_extra_length=3)
    found = search_rows(model, padded(SENTENCES), options, prefix)
    for sentence, hypotheses in zip(SENTENCES, found, strict=True):
        assert hypotheses
        for hypothesis in hypotheses:
            assert hypothesis.tokens[: len(prefix)] == prefix
            assert len(hypothesis.tokens) > len(prefix)
        assert_same(hypotheses, reference_beam_search(model, sentence, options, prefix))


def test_n_best_are_sorted_and_their_scores_are_penalised_log_probabilities(model: EncoderDecoder) -> None:
    with torch.no_grad():
        model.embedding.weight.mul_(0.3)  # less sure of itself, so that many hypotheses end
    for hypotheses in search_rows(model, padded(SENTENCES), DecodingOptions(beam_size=6, n_best=6, max_extra_length=6)):
        assert len(hypotheses) > 1
        scores = [hypothesis.score for hypothesis in hypotheses]
        assert scores == sorted(scores, reverse=True)
        assert len({hypothesis.tokens for hypothesis in hypotheses}) == len(hypotheses)
        for hypothesis in hypotheses:
            penalty = ((5 + len(hypothesis.tokens)) / 6) ** 0.6
            assert hypothesis.score == pytest.approx(sum(hypothesis.log_probabilities) / penalty)
            assert len(hypothesis.log_probabilities) == len(hypothesis.tokens)


@pytest.fixture
def stammering(make_model: Callable[..., EncoderDecoder]) -> EncoderDecoder:
    """A model that wants to write token 6 for ever, whatever it reads."""
    model = make_model(norm="pre", n_encoder_layers=1, n_decoder_layers=1)
    with torch.no_grad():
        model.embedding.weight.mul_(0.1)
        model.embedding.weight[6] = 1.0
        model.decoder.final_norm.weight.zero_()
        model.decoder.final_norm.bias.fill_(1.0)
    return model


@pytest.mark.unchecked
@pytest.mark.parametrize("beam_size", [1, 4])
@pytest.mark.parametrize(("size", "most"), [(1, 1), (1, 3), (2, 2), (4, 2), (3, 1)])
def test_no_run_of_tokens_stands_more_often_than_allowed(stammering, beam_size: int, size: int, most: int) -> None:
    options = DecodingOptions(
        beam_size=beam_size, n_best=beam_size, ngram_size=size, max_ngram_repeats=most, max_extra_length=20
    )
    for hypotheses in search_rows(stammering, padded(SENTENCES), options):
        for hypothesis in hypotheses:
            text = [token for token in hypothesis.tokens if token != EOS_ID]
            assert n_repeats(text, size) <= most
            assert beam_size > 1 or n_repeats(text, size) == most


def test_the_guard_can_be_switched_off_and_the_length_limit_still_holds(stammering: EncoderDecoder) -> None:
    options = DecodingOptions(beam_size=1, ngram_size=0, max_extra_length=20)
    found = search_rows(stammering, padded(SENTENCES), options)
    for sentence, (hypothesis,) in zip(SENTENCES, found, strict=True):
        assert hypothesis.tokens == (6,) * (len(sentence) + 20)


@pytest.mark.parametrize("options", [*OPTIONS, DecodingOptions(beam_size=12, n_best=12, max_extra_length=1)])
def test_no_hypothesis_is_too_long_or_holds_what_is_no_text(make_model, options) -> None:
    model = make_model()
    with torch.no_grad():
        # Alone it would write nothing but padding, BOS and the unknown token.
        model.embedding.weight[[PAD_ID, BOS_ID, UNKNOWN_ID]] *= 10
    for sentence, hypotheses in zip(SENTENCES, search_rows(model, padded(SENTENCES), options), strict=True):
        assert hypotheses
        for hypothesis in hypotheses:
            assert len(hypothesis.tokens) <= len(sentence) + options.max_extra_length
            assert not NO_TEXT & set(hypothesis.tokens)
            assert EOS_ID not in hypothesis.tokens[:-1]
            assert math.isfinite(hypothesis.score)


@pytest.mark.parametrize("beam_size", [1, 4])
def test_recording_changes_no_hypothesis(model: EncoderDecoder, beam_size: int) -> None:
    options = DecodingOptions(beam_size=beam_size, n_best=beam_size, max_extra_length=5)
    plain = search_rows(model, padded(SENTENCES), options)
    with record("*"):
        recorded = search_rows(model, padded(SENTENCES), options)
    for found, expected in zip(recorded, plain, strict=True):
        assert_same(found, expected)


@pytest.mark.parametrize(
    ("name", "value", "limit"),
    [
        ("beam_size", 0, "at least 1"),
        ("n_best", 0, "at least 1"),
        ("n_best", 5, "beam_size of 4"),
        ("max_extra_length", 0, "at least 1"),
        ("ngram_size", -1, "at least 0"),
        ("max_ngram_repeats", 0, "at least 1"),
        ("length_penalty", -0.1, "from 0 to 100"),
    ],
)
def test_a_useless_option_is_refused_by_name_value_and_limit(name: str, value: float, limit: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is {value}.*{limit}"):
        DecodingOptions(**{name: value})


def test_what_cannot_be_searched_is_refused(model: EncoderDecoder) -> None:
    with pytest.raises(ValueError, match="there is no source to translate"):
        beam_search(TorchBackend(model).encode(torch.tensor(SENTENCES[:1]))(1), model.config, [], GREEDY)
    with pytest.raises(ValueError, match="the prefix ends the target by EOS"):
        search_rows(model, padded(SENTENCES), GREEDY, [5, EOS_ID])
    with pytest.raises(ValueError, match="no search"):
        search_rows(model, padded(SENTENCES), dataclasses.replace(GREEDY, sampling=SamplingOptions()))
