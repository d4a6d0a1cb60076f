"""A corpus of eighty sentences, and a run on it so small that it ends in a second; fixtures for every folder."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from model.data.corpora import PARALLEL_CORPORA, CorpusFile, ParallelCorpus
from model.training.translation.config import TranslationTraining, training_from_dict

SUBJECTS = {"Tom": "Tom", "Mary": "Maria", "My dog": "Mein Hund", "The old man": "Der alte Mann", "She": "Sie"}
VERBS = {"sees": "sieht", "loves": "liebt", "hears": "hört", "finds": "findet"}
OBJECTS = {"the ball": "den Ball", "a green tree": "einen grünen Baum", "bread": "Brot", "the street": "die Straße"}


@dataclass(frozen=True)
class TinyCorpus:
    """A corpus that the data module knows by ``name`` and finds in ``data_dir``."""

    name: str
    data_dir: Path
    source: Path
    target: Path


def sentences() -> list[tuple[str, str]]:
    """Eighty sentences and their translations."""
    return [
        (" ".join((subject, verb, thing)) + ".", " ".join((SUBJECTS[subject], VERBS[verb], OBJECTS[thing])) + ".")
        for subject, verb, thing in product(SUBJECTS, VERBS, OBJECTS)
    ]


@pytest.fixture
def tiny_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TinyCorpus:
    """Write a corpus below ``tmp_path`` and make it known."""
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    files = []
    for name, lines in zip(("tiny.en", "tiny.de"), zip(*sentences(), strict=True), strict=True):
        content = "".join(f"{line}\n" for line in lines).encode()
        (data_dir / name).write_bytes(content)
        files.append(CorpusFile(name, hashlib.sha256(content).hexdigest()))
    corpus = ParallelCorpus("tiny", "everyday", "Tiny", "https://example.org/tiny.zip", "CC0", *files)
    monkeypatch.setitem(PARALLEL_CORPORA, corpus.name, corpus)
    return TinyCorpus(corpus.name, data_dir, *(data_dir / file.path for file in files))


@pytest.fixture
def training_values() -> dict[str, Any]:
    """Return the entries of a configuration file for the tiny corpus."""
    return {
        "corpus": "tiny",
        "more_corpora": [],
        "dev_corpus": "",
        "source_language": "English",
        "target_language": "German",
        "n_dev": 5,
        "n_validated": 3,
        "max_length": 40,
        "tokens_per_batch": 350,
        "n_steps": 8,
        "warmup": 4,
        "n_cooling": 0,
        "rate_factor": 1.0,
        "piece_dropout": 0.1,
        "copying": 0.0,
        "nouns": 0.0,
        "unmarked": 0.0,
        "teachers": [],
        "candidates": "",
        "risk": 0.0,
        "r_drop": 0.0,
        "label_smoothing": 0.1,
        "gradient_clip": 1.0,
        "validate_every": 4,
        "average_last": 2,
        "chosen_from": 0,
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


@pytest.fixture
def write_toml(training_values: dict[str, Any], tmp_path: Path) -> Callable[..., Path]:
    """Write the tiny run's configuration file; keywords change its entries."""

    def write(**changes: Any) -> Path:
        values = training_values | changes
        tables = {"model": values.pop("model")}
        if "positional" in tables["model"]:
            tables["model.positional"] = tables["model"].pop("positional")
        lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
        for title, table in tables.items():
            lines += [f"[{title}]", *(f"{name} = {json.dumps(value)}" for name, value in table.items())]
        path = tmp_path / "tiny-run.toml"
        path.write_text("\n".join(lines))
        return path

    return write
