"""A shipped Transformer-XL so small that it is made in a moment, with fresh weights; and none at all."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import streamlit as st
import torch

from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import save_weights
from model.config import DecoderOnlyConfig, config_to_json
from model.positional import PositionalConfig
from model.text.characters import CharacterVocabulary
from pretrained import language_models as language_model_store

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
        "training": {
            "data": {"segment_length": SEGMENT_LENGTH, "mem_len": mem_len},
            "seed": seed,
            "model": asdict(config),
        },
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


def publish_measurements(folder: Path) -> None:
    """Write made-up results of two seeds of Transformer-XL and one without recurrence, as the commands keep them."""
    chance = np.random.default_rng(0)
    runs = [("transformer_xl", 1, 0.0), ("transformer_xl", 2, 0.02), ("no_recurrence", 1, 0.3)]
    entries = [
        _evaluation(name, seed, mem_len, 2.0 + worse - 0.1 * np.log2(1 + mem_len / 16))
        for name, seed, worse in runs
        for mem_len in ((0, MEM_LEN, 4 * MEM_LEN) if name == "transformer_xl" else (0,))
    ]
    (folder / language_model_store.RESULTS).write_text(json.dumps(entries), encoding="utf-8")
    hard = chance.exponential(2.0, 50)
    losses = [
        {"name": name, "seed": seed, "context": context, "place": place, "loss": loss * (1 + worse) * saved}
        for name, seed, worse in runs
        for context, saved in zip((8, 16, 24, 32), (1.0, 0.9, 0.85, 0.849), strict=True)
        for place, loss in enumerate(hard)
    ]
    pd.DataFrame(losses).to_parquet(folder / language_model_store.CONTEXTS, index=False)
    speed = {
        "command": "python -m benchmarks.evaluation_speed",
        "machine": {"processor": "Abacus", "n_cores": 2, "n_threads": 1, "system": "Linux", "torch": torch.__version__},
        "segment_length": SEGMENT_LENGTH,
        "milliseconds_per_character": [
            {"context": 256, "memory": 0.25, "window": 25.0, "window_absolute": 20.0},
            {"context": 2048, "memory": 0.5, "window": 400.0, "window_absolute": 300.0},
        ],
    }
    (folder / language_model_store.SPEED).write_text(json.dumps(speed), encoding="utf-8")


def _evaluation(name: str, seed: int, mem_len: int, bits: float) -> dict[str, Any]:
    reading = {"kind": "BySegments", "segment_length": SEGMENT_LENGTH, "mem_len": mem_len}
    return {
        "name": name,
        "seed": seed,
        "part": "test",
        "reading": {**reading, "same_length": False, "clamp": None},
        "training": {"data": {"segment_length": SEGMENT_LENGTH, "mem_len": MEM_LEN if name == "transformer_xl" else 0}},
        "bits_per_character": bits,
        "bits_by_position": [bits + 1 / place for place in range(1, SEGMENT_LENGTH + 1)],
        "n_counted": 1000,
    }
