"""A corpus of eighty sentences, and a run on it so small that it ends in a second; fixtures for every folder."""

import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from model.data.corpora import PARALLEL_CORPORA, CorpusFile, ParallelCorpus
from model.training.translation.config import TranslationTraining, translation_training

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


def changed(entries: Mapping[str, Any], kind: type, **changes: Any) -> dict[str, Any]:
    """Return the ``entries`` of a configuration with ``changes``, each in the section of ``kind`` with its field."""
    sections = {
        entry.name: section
        for section, hint in get_type_hints(kind).items()
        if dataclasses.is_dataclass(hint) and section != "model"
        for entry in dataclasses.fields(hint)
    }
    result: dict[str, Any] = {**entries}
    for name, value in changes.items():
        if name in sections:
            result[sections[name]] = result.get(sections[name], {}) | {name: value}
        else:
            result[name] = value
    return result


def as_toml(entries: Mapping[str, Any]) -> str:
    """Return ``entries`` with their sections as a TOML file."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in entries.items() if not isinstance(value, dict)]
    tables = {name: dict(value) for name, value in entries.items() if isinstance(value, dict)}
    if "positional" in tables.get("model", {}):
        tables["model.positional"] = tables["model"].pop("positional")
    for title, table in tables.items():
        lines += [f"[{title}]", *(f"{name} = {json.dumps(value)}" for name, value in table.items())]
    return "\n".join(lines)


@pytest.fixture
def training_values() -> dict[str, Any]:
    """Return the entries of a configuration file for the tiny corpus."""
    return {
        "kind": "translation",
        "seed": 5,
        "data": {
            "corpus": "tiny",
            "source_language": "English",
            "target_language": "German",
            "n_dev": 5,
            "n_validated": 3,
            "max_length": 40,
            "tokens_per_batch": 350,
        },
        "augment": {"bpe_dropout": 0.1},
        "schedule": {"n_steps": 8, "warmup": 4},
        "validation": {"validate_every": 4, "average_checkpoints": 2, "log_every": 3},
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
        return translation_training(changed(training_values, TranslationTraining, **changes))

    return make


@pytest.fixture
def write_toml(training_values: dict[str, Any], tmp_path: Path) -> Callable[..., Path]:
    """Write the tiny run's configuration file; keywords change its entries."""

    def write(**changes: Any) -> Path:
        path = tmp_path / "tiny-run.toml"
        path.write_text(as_toml(changed(training_values, TranslationTraining, **changes)))
        return path

    return write
