"""Generation: by which probabilities and seed tokens are drawn, and greedily with or without a guess."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest
import torch

from model.architectures.decoder_only import DecoderOnly
from model.architectures.encoder_decoder import EncoderDecoder
from model.config import DecoderOnlyConfig
from model.decoding.decoder import Backend, CausalDecoder, TorchBackend
from model.decoding.generate import generate_greedily
from model.decoding.options import GREEDY, DecodingOptions, SamplingOptions
from model.decoding.sampling import sampling_distribution
from model.decoding.search import search_one
from model.positional import PositionalConfig
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNKNOWN_ID

SOURCE = [4, 9, 6, 7, EOS_ID]
SAMPLED = DecodingOptions(beam_size=1, max_extra_length=4, sampling=SamplingOptions(1.3, 0.9, 6))


@pytest.fixture
def model(make_model) -> EncoderDecoder:
    torch.manual_seed(3)
    return make_model(norm="pre")


@pytest.fixture
def backend(model: EncoderDecoder) -> Backend:
    return TorchBackend(model)


def tokens(
    backend: Backend, options: DecodingOptions, prefix: tuple[int, ...] = (), source: Sequence[int] = SOURCE
) -> tuple[int, ...]:
    return search_one(backend, source, options, prefix, n_alternatives=3).hypotheses[0].tokens


def test_the_seed_decides_what_is_drawn(backend: Backend) -> None:
    drawn = [tokens(backend, replace(SAMPLED, seed=seed)) for seed in range(8)]
    assert drawn == [tokens(backend, replace(SAMPLED, seed=seed)) for seed in range(8)]
    assert len(set(drawn)) > 2


@pytest.mark.unchecked
def test_tokens_are_drawn_by_the_probabilities_of_the_sampling_distribution(model: EncoderDecoder) -> None:
    # So short a source allows two tokens, of which the first is looked at.
    backend, source, n = TorchBackend(model), [EOS_ID], 600
    options = replace(SAMPLED, max_extra_length=1)
    with torch.no_grad():
        scores = model(torch.tensor([source]), torch.tensor([[BOS_ID]]))[0, 0]
    scores[[PAD_ID, BOS_ID, UNKNOWN_ID]] = -torch.inf
    expected = sampling_distribution(scores, SAMPLED.sampling)
    found = Counter(tokens(backend, replace(options, seed=seed), source=source)[0] for seed in range(n))
    assert set(found) <= set(torch.nonzero(expected)[:, 0].tolist())
    for token, probability in enumerate(expected.tolist()):
        # Four standard deviations.
        assert found[token] / n == pytest.approx(probability, abs=4 * (probability * (1 - probability) / n) ** 0.5)


@pytest.mark.parametrize("sampling", [SamplingOptions(temperature=1e-4), SamplingOptions(top_k=1)])
def test_the_cold_and_the_single_most_probable_are_greedy(backend: Backend, sampling: SamplingOptions) -> None:
    greedy = replace(GREEDY, max_extra_length=4)
    for prefix in ((), (5, 6)):
        assert tokens(backend, replace(greedy, sampling=sampling, seed=7), prefix) == tokens(backend, greedy, prefix)


def test_what_may_not_be_written_is_never_drawn(backend: Backend) -> None:
    hot = replace(SAMPLED, sampling=SamplingOptions(1e6), ngram_size=1, max_ngram_repeats=1)
    for seed in range(20):
        drawn = [token for token in tokens(backend, replace(hot, seed=seed)) if token != EOS_ID]
        assert not {PAD_ID, BOS_ID, UNKNOWN_ID} & set(drawn)
        assert len(set(drawn)) == len(drawn)


def test_a_beam_draws_nothing() -> None:
    with pytest.raises(ValueError, match="beam_size is 4"):
        DecodingOptions(beam_size=4, sampling=SamplingOptions())


def causal(positional: str) -> DecoderOnly:
    sizes = {"d_model": 16, "n_heads": 2, "d_key": 6, "d_value": 6, "d_ff": 24, "n_layers": 3}
    model = DecoderOnly(DecoderOnlyConfig(11, positional=PositionalConfig(positional), **sizes)).eval()
    with torch.no_grad():
        model.embedding.weight.mul_(3)
    return model


def written_without_a_cache(model: DecoderOnly, prompt: list[int], n: int) -> list[int]:
    row = list(prompt)
    for _ in range(n):
        row.append(int(model(torch.tensor([row]))[0, -1].argmax()))
        if row[-1] == model.config.eos_id:
            break
    return row[len(prompt) :]


@pytest.mark.parametrize("positional", ["none", "learned", "rotary"])
@pytest.mark.parametrize("guess", [[], [3, 3, 3, 3, 3, 3], [5, 2, 7, 7, 1, 0]])
def test_greedy_generation_equals_full_passes_whatever_is_guessed(positional: str, guess: list[int]) -> None:
    model = causal(positional)
    for prompt in ([1, 5], [1, 9, 3, 4, 7], [1, 3, 5]):
        expected = written_without_a_cache(model, prompt, 6)
        start = partial(CausalDecoder, model)
        assert generate_greedily(start, prompt, 6, eos_id=model.config.eos_id, guess=guess) == expected


def test_a_right_guess_is_read_once() -> None:
    model, started = causal("rotary"), []

    def start() -> CausalDecoder:
        started.append(1)
        return CausalDecoder(model)

    right = written_without_a_cache(model, [1, 5], 6)
    assert generate_greedily(start, [1, 5], len(right), eos_id=model.config.eos_id, guess=right) == right
    assert len(started) == 1


def test_greedy_generation_ends_with_eos() -> None:
    model = causal("sinusoidal")
    with torch.no_grad():
        model.final_norm.weight.zero_()
        model.final_norm.bias.copy_(model.embedding.weight[model.config.eos_id] * 10)
    assert generate_greedily(partial(CausalDecoder, model), [1, 4], 5, eos_id=model.config.eos_id) == [2]


@pytest.mark.parametrize(("prompt", "n_tokens"), [([], 3), ([1], 0)])
def test_nothing_to_generate_is_refused(prompt: list[int], n_tokens: int) -> None:
    with pytest.raises(ValueError, match=f"^the prompt has {len(prompt)} tokens, and {n_tokens} .*; give at least"):
        generate_greedily(partial(CausalDecoder, causal("none")), prompt, n_tokens, eos_id=2)
