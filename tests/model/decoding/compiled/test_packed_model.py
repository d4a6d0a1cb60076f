"""Packed weights against the model they came from: the same logits, patterns and searches."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.compiled import kernels
from model.decoding.compiled.packed_model import NotPackableError, PackedModel
from model.decoding.decoder import Decoder, TorchBackend
from model.decoding.options import DecodingOptions
from model.decoding.search import search_one
from model.hooks import record
from model.positional import PositionalConfig
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID

SOURCE = [4, 9, 6, 7, 10, 8, EOS_ID]
TARGET = [BOS_ID, 5, 5, 10, 7]
POSITIONS = [PositionalConfig("sinusoidal"), PositionalConfig("learned"), PositionalConfig("none")]


@pytest.fixture
def model(make_model: Callable[..., EncoderDecoder]) -> EncoderDecoder:
    return uneven(make_model(norm="pre"))


def uneven(model: EncoderDecoder) -> EncoderDecoder:
    """Return ``model`` with gains, shifts and biases that differ, as after training."""
    for module in model.modules():
        if isinstance(module, nn.LayerNorm):
            nn.init.normal_(module.weight, 1, 0.4)
            nn.init.normal_(module.bias, 0, 0.4)
        elif isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.normal_(module.bias, 0, 0.4)
    return model


@pytest.mark.parametrize("positional", POSITIONS, ids=lambda config: config.name)
@pytest.mark.parametrize("shipped", [False, True], ids=["single", "half"])
def test_all_at_once_it_gives_the_logits_and_patterns_of_the_model(make_model, positional, shipped: bool) -> None:
    model = uneven(make_model(norm="pre", positional=positional))
    if shipped:
        model.half().float()
    packed = PackedModel(model)
    with record("*.pattern") as found:
        logits = decoder(packed).step(torch.tensor([TARGET]))
    with torch.inference_mode(), record("*.pattern") as seen:
        expected = model(torch.tensor([SOURCE]), torch.tensor([TARGET]))
    torch.testing.assert_close(logits, expected, atol=1e-4, rtol=0)
    assert list(found) == list(seen)
    for name, pattern in found.items():
        torch.testing.assert_close(pattern, seen[name], atol=1e-5, rtol=0)


def decoder(packed: PackedModel, max_length: int = len(TARGET)) -> Decoder:
    return packed.encode(torch.tensor([SOURCE]))(max_length)


def test_token_by_token_it_gives_what_it_gives_at_once(model: EncoderDecoder) -> None:
    packed = PackedModel(model)
    at_once = decoder(packed).step(torch.tensor([TARGET]))
    by_steps = decoder(packed)
    parts = [by_steps.step(torch.tensor([TARGET[start:end]])) for start, end in ((0, 1), (1, 2), (2, 4), (4, 5))]
    torch.testing.assert_close(torch.cat(parts, dim=1), at_once, atol=1e-5, rtol=0)


def test_weights_that_change_later_change_nothing(model: EncoderDecoder) -> None:
    packed = PackedModel(model)
    before = decoder(packed).step(torch.tensor([TARGET]))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    assert torch.equal(decoder(packed).step(torch.tensor([TARGET])), before)


def test_rows_that_are_repeated_and_reordered_go_on_from_their_own_past(model: EncoderDecoder) -> None:
    packed = PackedModel(model)
    several = decoder(packed, 4)
    several.step(torch.tensor([[BOS_ID]]))
    several.select(torch.tensor([0, 0, 0]))
    several.step(torch.tensor([[4], [5], [6]]))
    several.select(torch.tensor([2, 0]))
    logits = several.step(torch.tensor([[7], [8]]))
    for row, target in enumerate(([BOS_ID, 6, 7], [BOS_ID, 4, 8])):
        alone = decoder(packed, 3).step(torch.tensor([target]))
        torch.testing.assert_close(logits[row, 0], alone[0, -1], atol=1e-5, rtol=0)


def test_rows_that_were_selected_are_read_by_the_machine_code_that_is_there(model: EncoderDecoder) -> None:
    several = decoder(PackedModel(model), 2)
    several.step(torch.tensor([[BOS_ID]]))
    compiled_for = list(kernels.decode.signatures)
    several.select(torch.tensor([0, 0, 0]))
    several.step(torch.tensor([[4], [5], [6]]))
    assert kernels.decode.signatures == compiled_for


def test_several_sources_at_once_are_each_read_alone(model: EncoderDecoder) -> None:
    packed = PackedModel(model)
    several = packed.encode(torch.tensor([SOURCE, [9, EOS_ID, *[PAD_ID] * (len(SOURCE) - 2)]]))(3)
    several.step(torch.tensor([[BOS_ID], [BOS_ID]]))
    several.select(torch.tensor([0, 1, 1]))
    logits = several.step(torch.tensor([[4], [5], [6]]))
    for row, (source, target) in enumerate(((SOURCE, 4), ([9, EOS_ID], 5), ([9, EOS_ID], 6))):
        alone = packed.encode(torch.tensor([source]))(2).step(torch.tensor([[BOS_ID, target]]))
        torch.testing.assert_close(logits[row, 0], alone[0, -1], atol=1e-5, rtol=0)


@pytest.mark.parametrize(
    "changes",
    [{"norm": "post"}, {"positional": PositionalConfig("alibi")}, {"residual": "none"}, {"score_scale": 1.0}],
    ids=["norm", "positions", "residual", "scale"],
)
def test_what_cannot_be_packed_says_so(make_model, changes) -> None:
    with pytest.raises(NotPackableError):
        PackedModel(make_model(**{"norm": "pre"} | changes))


OPTIONS = [
    DecodingOptions(beam_size=1, max_extra_length=6),
    DecodingOptions(beam_size=1, max_extra_length=9, ngram_size=1, max_ngram_repeats=2),
    DecodingOptions(beam_size=1, max_extra_length=9, ngram_size=2, max_ngram_repeats=1, length_penalty=0),
    DecodingOptions(beam_size=1, max_extra_length=9, ngram_size=0),
    DecodingOptions(beam_size=4, n_best=3, max_extra_length=4),
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("prefix", [(), (5, 6)])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_search_finds_and_shows_what_the_model_itself_does(make_model, options, prefix, seed: int) -> None:
    torch.manual_seed(seed)
    model = uneven(make_model(norm="pre"))
    found = search_one(PackedModel(model), SOURCE, options, prefix, n_alternatives=3)
    expected = search_one(TorchBackend(model), SOURCE, options, prefix, n_alternatives=3)
    assert [one.tokens for one in found.hypotheses] == [one.tokens for one in expected.hypotheses]
    for ours, theirs in zip(found.hypotheses, expected.hypotheses, strict=True):
        assert ours.score == pytest.approx(theirs.score, abs=1e-4)
        assert ours.log_probabilities == pytest.approx(theirs.log_probabilities, abs=1e-4)
    torch.testing.assert_close(found.alternatives.probabilities, expected.alternatives.probabilities, atol=1e-4, rtol=0)
    assert torch.equal(found.alternatives.tokens, expected.alternatives.tokens)
    assert list(found.patterns) == list(expected.patterns)
    for name, pattern in found.patterns.items():
        np.testing.assert_allclose(pattern, expected.patterns[name], atol=1e-5)


def test_a_prefix_that_has_ended_is_refused(model: EncoderDecoder) -> None:
    with pytest.raises(ValueError, match="EOS"):
        search_one(PackedModel(model), SOURCE, OPTIONS[0], [EOS_ID], n_alternatives=3)
