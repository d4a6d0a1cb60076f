"""Small models, a small tokenizer and a small corpus, made here: no test needs data from elsewhere."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch

from model.config import EncoderDecoderConfig
from model.data import PARALLEL_CORPORA, CorpusFile, ParallelCorpus
from model.tokenizer import Tokenizer
from model.transformer import EncoderDecoder

SUBJECTS = {"Tom": "Tom", "Mary": "Maria", "My dog": "Mein Hund", "The old man": "Der alte Mann", "She": "Sie"}
VERBS = {"sees": "sieht", "loves": "liebt", "hears": "hört", "finds": "findet"}
OBJECTS = {"the ball": "den Ball", "a green tree": "einen grünen Baum", "bread": "Brot", "the street": "die Straße"}
VOCABULARY_SIZE = 320

ModelFactory = Callable[..., EncoderDecoder]


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


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    """Return a tokenizer that knows little besides the tiny corpus, and so falls back to bytes often."""
    punctuation = """'s , , ? ? ! ! " " - - . ..."""
    return Tokenizer.train([punctuation, *(sentence for pair in sentences() for sentence in pair)], VOCABULARY_SIZE)


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
    corpus = ParallelCorpus("tiny", "Tiny", "https://example.org/tiny.zip", "CC0", *files)
    monkeypatch.setitem(PARALLEL_CORPORA, corpus.name, corpus)
    return TinyCorpus(corpus.name, data_dir, *(data_dir / file.path for file in files))
