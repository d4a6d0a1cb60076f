"""A text of a few thousand characters, and a run on it so small that it ends in a second; fixtures for every folder."""

import random
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig
from model.positional import PositionalConfig
from model.training.history import remember
from model.training.language_model.config import LanguageModelTraining, language_model_training
from model.training.language_model.trainer import language_model_trainer
from tests.tiny_run import changed

WORDS = ("Pierre", "Natasha", "said", "went", "to", "the", "ball", "and", "smiled")


def strong_model(n_layers: int, **changes: Any) -> DecoderOnly:
    """Return a tiny Transformer-XL of 11 tokens, whose weights are so large that what is far away can be felt."""
    torch.manual_seed(0)
    sizes = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 6, "d_ff": 24, "n_layers": n_layers}
    positional = PositionalConfig("transformer_xl")
    made = DecoderOnly(DecoderOnlyConfig(vocabulary_size=11, positional=positional, **(sizes | changes))).eval()
    for parameter in made.parameters():
        if parameter.dim() > 1:
            nn.init.normal_(parameter, std=0.3)
    return made


@pytest.fixture
def text_file(tmp_path: Path) -> Path:
    rng = random.Random(0)
    path = tmp_path / "novel.txt"
    path.write_text(" ".join(rng.choice(WORDS) for _ in range(500)) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def run_values(text_file: Path) -> dict[str, Any]:
    """Return the entries of a configuration file for the text."""
    sizes = {"d_model": 8, "n_heads": 2, "d_key": 4, "d_value": 4, "d_ff": 16, "n_layers": 2, "dropout": 0.1}
    return {
        "kind": "language_model",
        "seed": 1,
        "data": {
            "corpus": str(text_file),
            "mem_len": 12,
            "segment_length": 10,
            "n_streams": 40,
            "n_validated": 100,
        },
        "schedule": {"n_steps": 8, "warmup": 2, "peak_rate": 0.01},
        "validation": {"validate_every": 3, "log_every": 2},
        "model": {**sizes, "positional": {"name": "transformer_xl"}},
    }


@pytest.fixture
def make_run(run_values: dict[str, Any]) -> Callable[..., LanguageModelTraining]:
    """Return the tiny run; keywords change its entries."""

    def make(**changes: Any) -> LanguageModelTraining:
        return language_model_training(changed(run_values, LanguageModelTraining, **changes))

    return make


@pytest.fixture
def train_language_model(make_run: Callable[..., LanguageModelTraining], tmp_path: Path) -> Callable[..., Path]:
    """Train the tiny run, changed by keywords, in the folder ``name``-SEED; return the folder."""

    def train(name: str = "tiny", **changes: Any) -> Path:
        training = make_run(**changes)
        folder = tmp_path / f"{name}-{training.seed}"
        folder.mkdir()
        remember(asdict(training), folder=folder, step=0)
        language_model_trainer(training, folder=folder, device=torch.device("cpu")).run()
        return folder

    return train
