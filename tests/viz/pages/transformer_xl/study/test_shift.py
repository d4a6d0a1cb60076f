"""The relative shift on a head: what it gives, pair by pair, and in the model itself."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig
from model.positional import PositionalConfig
from viz.pages.transformer_xl.study.shift import position_queries, shift


def make(positional: str = "transformer_xl", **parameters: float) -> DecoderOnly:
    torch.manual_seed(0)
    sizes = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 6, "d_ff": 24, "n_layers": 2}
    config = DecoderOnlyConfig(vocabulary_size=11, positional=PositionalConfig(positional, parameters), **sizes)
    model = DecoderOnly(config).eval()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.3)
    return model


def after_memory(model: DecoderOnly) -> tuple[Tensor, object]:
    tokens = torch.randint(1, 11, (1, 14), generator=torch.Generator().manual_seed(1))
    memory = model.new_memory(8)
    with torch.inference_mode():
        model(tokens[:, :8], memory=memory)
    return tokens[:, 8:], memory


@pytest.mark.parametrize("parameters", [{}, {"clamp": 5}], ids=str)
def test_shifted_scores_are_those_of_each_pair_and_of_the_model(parameters: dict) -> None:
    model = make(**parameters)
    asked = position_queries(model, *after_memory(model), 1)
    found = shift(asked.encoding, asked.queries, 14)
    assert found.shifted.shape == (2, 6, 14)
    assert found.difference < 1e-5
    np.testing.assert_allclose(
        found.shifted[:, found.allowed], asked.position_bias.numpy()[:, found.allowed], rtol=1e-4, atol=1e-5
    )


def test_what_must_be_masked_means_nothing() -> None:
    model = make()
    asked = position_queries(model, *after_memory(model), 1)
    found = shift(asked.encoding, asked.queries, 14)
    assert found.allowed.sum() == sum(range(9, 15))
    wrong = ~found.allowed
    assert not np.allclose(found.shifted[:, wrong], found.pairwise[:, wrong], atol=0.05)


def test_a_wrong_distance_is_seen() -> None:
    model = make()
    asked = position_queries(model, *after_memory(model), 1)
    found = shift(asked.encoding, asked.queries, 14)
    assert not np.allclose(found.by_distance[:, found.allowed], found.pairwise[:, found.allowed], atol=0.05)


def test_a_few_queries_and_keys_are_a_corner_of_the_whole() -> None:
    model = make()
    asked = position_queries(model, *after_memory(model), 0)
    whole, few = shift(asked.encoding, asked.queries, 14), shift(asked.encoding, asked.queries[:, :4], 7)
    np.testing.assert_allclose(
        few.shifted[:, few.allowed], whole.shifted[:, :4, 5:12][:, few.allowed], rtol=1e-4, atol=1e-5
    )
    assert few.n_vectors == (28, 7)


def test_without_memory_there_are_as_many_keys_as_queries() -> None:
    model = make()
    tokens, _ = after_memory(model)
    asked = position_queries(model, tokens, model.new_memory(0), 1)
    assert shift(asked.encoding, asked.queries, 6).difference < 1e-5
    with pytest.raises(ValueError, match=r"^5 keys were given for 6 queries"):
        shift(asked.encoding, asked.queries, 5)


def test_a_model_without_the_terms_is_refused() -> None:
    model = make("rotary")
    with pytest.raises(ValueError, match=r"^rotary has no terms of position"):
        position_queries(model, *after_memory(model), 1)
