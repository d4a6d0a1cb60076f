"""A shipped Transformer-XL so small that it is made in a moment, with fresh weights; and none at all."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
import torch

from model.characters import CharacterVocabulary
from model.checkpoint import save_weights
from model.config import DecoderOnlyConfig, config_to_json
from model.decoder_only import DecoderOnly
from model.positional import PositionalConfig
from pretrained import language_model_store

CHARACTERS = "\n !\"'(),-.0123456789:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SEGMENT_LENGTH, MEM_LEN = 16, 32


def publish_language_model(
    folder: Path, name: str = "transformer_xl", *, mem_len: int = MEM_LEN, seed: int = 1, **changes: Any
) -> Path:
    """Ship the tiny model ``name`` in ``folder``, its configuration with ``changes``; return ``folder``."""
    torch.manual_seed(seed)
    vocabulary = CharacterVocabulary(CHARACTERS)
    sizes = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 32, "n_layers": 3}
    special = dict.fromkeys(("pad_id", "bos_id", "eos_id"), 0)
    positional = PositionalConfig("transformer_xl")
    config = DecoderOnlyConfig(
        **{"vocabulary_size": vocabulary.size, **sizes, **special, "positional": positional, **changes}
    )
    place = folder / name
    place.mkdir(parents=True)
    (place / "config.json").write_text(config_to_json(config), encoding="utf-8")
    (place / "vocabulary.json").write_text(vocabulary.to_json(), encoding="utf-8")
    model = DecoderOnly(config)
    save_weights(model.state_dict(), place / "weights.safetensors")
    metrics = {
        "sha256": {path.name: sha256(path.read_bytes()).hexdigest() for path in place.iterdir()},
        "n_parameters": sum(parameter.numel() for parameter in model.parameters()),
        "vocabulary_size": vocabulary.size,
        "step": 10,
        "training": {"segment_length": SEGMENT_LENGTH, "mem_len": mem_len, "seed": seed, "model": asdict(config)},
    }
    (place / "metrics.json").write_text(json.dumps(metrics), encoding="utf-8")
    return folder


@pytest.fixture
def language_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the app read a tiny Transformer-XL, and the same without recurrence."""
    folder = publish_language_model(tmp_path / "language_models")
    publish_language_model(folder, "no_recurrence", mem_len=0, seed=2)
    yield from _shown(folder, monkeypatch)


@pytest.fixture
def no_language_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the app find that nothing was published."""
    yield from _shown(tmp_path / "language_models", monkeypatch)


def _shown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(language_model_store, "LANGUAGE_MODELS", folder)
    yield folder
    st.cache_resource.clear()
    st.cache_data.clear()
