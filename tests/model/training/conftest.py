"""A run so small that it ends in a second."""

from collections.abc import Callable
from typing import Any

import pytest

from model.training.config import TranslationTraining, training_from_dict


@pytest.fixture
def training_values() -> dict[str, Any]:
    """Return the entries of a configuration file for the tiny corpus."""
    return {
        "corpus": "tiny",
        "source_language": "English",
        "target_language": "German",
        "n_dev": 3,
        "max_length": 40,
        "tokens_per_batch": 350,
        "n_steps": 8,
        "warmup": 4,
        "n_cooling": 0,
        "label_smoothing": 0.1,
        "gradient_clip": 1.0,
        "validate_every": 4,
        "average_last": 2,
        "log_every": 3,
        "seed": 5,
        "model": {
            "vocabulary_size": 320,
            "d_model": 16,
            "n_heads": 2,
            "d_key": 8,
            "d_value": 8,
            "d_ff": 32,
            "n_encoder_layers": 1,
            "n_decoder_layers": 1,
            "dropout": 0.2,
            "norm": "pre",
        },
    }


@pytest.fixture
def make_training(training_values: dict[str, Any]) -> Callable[..., TranslationTraining]:
    """Return a tiny run; keywords change its entries."""

    def make(**changes: Any) -> TranslationTraining:
        return training_from_dict(training_values | changes)

    return make
