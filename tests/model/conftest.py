"""Small models and a small tokenizer, made here: no test needs data from elsewhere."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig
from model.text.tokenizer import Tokenizer
from tests.fixtures.translation_run import sentences

VOCABULARY_SIZE = 320

ModelFactory = Callable[..., EncoderDecoder]


@pytest.fixture
def make_config() -> Callable[..., EncoderDecoderConfig]:
    """Return a configuration so small that a model of it runs in a millisecond; keywords change it."""

    def make(**changes: Any) -> EncoderDecoderConfig:
        values: dict[str, Any] = {
            "vocabulary_size": 11,
            "d_model": 16,
            "n_heads": 2,
            "d_key": 6,
            "d_value": 5,
            "d_ff": 24,
            "n_encoder_layers": 2,
            "n_decoder_layers": 3,
        }
        return EncoderDecoderConfig(**(values | changes))

    return make


@pytest.fixture
def make_model(make_config: Callable[..., EncoderDecoderConfig]) -> ModelFactory:
    """Return a model in evaluation mode whose random predictions are far from uniform; keywords change its sizes."""

    def make(**changes: Any) -> EncoderDecoder:
        model = EncoderDecoder(make_config(**changes)).eval()
        with torch.no_grad():
            model.embedding.weight.mul_(3)
        return model

    return make


@pytest.fixture(params=["pre", "post"])
def model(make_model: ModelFactory, request: pytest.FixtureRequest) -> EncoderDecoder:
    """Return a small model that normalises before its blocks, and one that does after them."""
    torch.manual_seed(2)
    return make_model(norm=request.param)


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    """Return a tokenizer that knows little besides the tiny corpus, and so falls back to bytes often."""
    punctuation = """'s , , ? ? ! ! " " - - . ..."""
    return Tokenizer.train([punctuation, *(sentence for pair in sentences() for sentence in pair)], VOCABULARY_SIZE)
