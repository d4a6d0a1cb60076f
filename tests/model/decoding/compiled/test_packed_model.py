"""Packed weights against the model they came from: the same logits, patterns and searches."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.beam_search import DecodingOptions
from model.decoding.compiled import kernels
from model.decoding.compiled.packed_model import NotPackableError, PackedModel, Writing
from model.decoding.sentence_search import ModelSearch, PackedSearch
from model.hooks import record
from model.positional import PositionalConfig
from model.text.tokenizer import BOS_ID, EOS_ID

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
    packed, heard = PackedModel(model), {}
    reading = packed.read(SOURCE)
    logits = Writing(packed, reading, 1, len(TARGET), heard.__setitem__).add(np.array([TARGET]))
    with torch.inference_mode(), record("*.pattern") as seen:
        expected = model(torch.tensor([SOURCE]), torch.tensor([TARGET]))
    np.testing.assert_allclose(logits, expected.numpy(), atol=1e-4)
    patterns = {name: pattern[None] for name, pattern in reading.patterns.items()} | heard
    assert patterns.keys() == seen.keys()
    for name, pattern in patterns.items():
        np.testing.assert_allclose(pattern, seen[name].numpy(), atol=1e-5)


def test_token_by_token_it_gives_what_it_gives_at_once(model: EncoderDecoder) -> None:
    packed = PackedModel(model)
    reading = packed.read(SOURCE)
    at_once = Writing(packed, reading, 1, len(TARGET)).add(np.array([TARGET]))
    writing = Writing(packed, reading, 1, len(TARGET))
    parts = [writing.add(np.array([TARGET[start:end]])) for start, end in ((0, 1), (1, 2), (2, 4), (4, 5))]
    np.testing.assert_allclose(np.concatenate(parts, axis=1), at_once, atol=1e-5)


def test_weights_that_change_later_change_nothing(model: EncoderDecoder) -> None:
    packed = PackedModel(model)
    before = Writing(packed, packed.read(SOURCE), 1, len(TARGET)).add(np.array([TARGET]))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    after = Writing(packed, packed.read(SOURCE), 1, len(TARGET)).add(np.array([TARGET]))
    np.testing.assert_array_equal(after, before)


def test_rows_that_are_repeated_and_reordered_go_on_from_their_own_past(model: EncoderDecoder) -> None:
    packed = PackedModel(model)
    reading = packed.read(SOURCE)
    writing = Writing(packed, reading, 1, 4)
    writing.add(np.array([[BOS_ID]]))
    writing.select(np.array([0, 0, 0]))
    writing.add(np.array([[4], [5], [6]]))
    writing.select(np.array([2, 0]))
    logits = writing.add(np.array([[7], [8]]))
    for row, target in enumerate(([BOS_ID, 6, 7], [BOS_ID, 4, 8])):
        alone = Writing(packed, reading, 1, 3).add(np.array([target]))
        np.testing.assert_allclose(logits[row, 0], alone[0, -1], atol=1e-5)


def test_rows_that_were_selected_are_read_by_the_machine_code_that_is_there(model: EncoderDecoder) -> None:
    packed = PackedModel(model)
    writing = Writing(packed, packed.read(SOURCE), 1, 2)
    writing.add(np.array([[BOS_ID]]))
    compiled_for = list(kernels.write.signatures)
    writing.select(np.array([0, 0, 0]))
    writing.add(np.array([[4], [5], [6]]))
    assert kernels.write.signatures == compiled_for


@pytest.mark.parametrize(
    "changes", [{"norm": "post"}, {"norm": "pre", "positional": PositionalConfig("alibi")}], ids=["norm", "positions"]
)
def test_what_cannot_be_packed_says_so(make_model, changes) -> None:
    with pytest.raises(NotPackableError):
        PackedModel(make_model(**changes))


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
    found = PackedSearch(PackedModel(model))(SOURCE, options, prefix, 3)
    expected = ModelSearch(model)(SOURCE, options, prefix, 3)
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
        PackedSearch(PackedModel(model))(SOURCE, OPTIONS[0], [EOS_ID], 3)
