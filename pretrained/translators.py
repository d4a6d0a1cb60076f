"""Finds the shipped models and loads them, checked against their recorded SHA-256."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from safetensors.torch import load
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import DamagedWeightsError, load_weights
from model.config import EncoderDecoderConfig, load_config
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translator
from model.device import choose_device
from model.files import UNFINISHED
from model.text.tokenizer import Tokenizer
from pretrained.graphs import backend_of

FOLDER = Path(__file__).parent
WEIGHTS, CONFIG, TOKENIZER, METRICS, CARD = (
    "weights.safetensors",
    "config.json",
    "tokenizer.model",
    "metrics.json",
    "card.md",
)
MEANS = "head_means.safetensors"
CAPITAL_NOUNS = ("German",)
"""The languages that write nouns with a capital."""
_FILES = (WEIGHTS, CONFIG, TOKENIZER)


@dataclass(frozen=True)
class ModelCard:
    """What a shipped model says of itself.

    ``metrics`` as measured, ``text`` in Markdown, ``n_bytes`` of its weights.
    """

    name: str
    config: EncoderDecoderConfig
    metrics: dict[str, Any]
    text: str
    n_bytes: int

    @property
    def corpora(self) -> tuple[str, ...]:
        """The corpora that it was trained on at last."""
        data = self.metrics["training"]["data"]
        return (data["corpus"], *data["more_corpora"])

    @property
    def source_language(self) -> str:
        """The language that it reads."""
        language: str = self.metrics["training"]["data"]["source_language"]
        return language

    @property
    def target_language(self) -> str:
        """The language that it writes."""
        language: str = self.metrics["training"]["data"]["target_language"]
        return language


def shipped() -> tuple[str, ...]:
    """Return the names of all models that ship, in alphabetical order."""
    return shipped_in(FOLDER)


def shipped_in(folder: Path) -> tuple[str, ...]:
    """Return the names of the models that ship in ``folder``, in alphabetical order."""
    return tuple(sorted(name for name in _models_in(folder) if not name.endswith(UNFINISHED)))


def read_card(name: str) -> ModelCard:
    """Return the card of the shipped model ``name``.

    Raises:
        ValueError: no model of that name ships.
        DamagedWeightsError: its card, configuration or metrics are missing or unreadable.
    """
    folder = _folder(name)
    return _read_card(folder, tuple(map(_state_of, [folder / file for file in (METRICS, CONFIG, CARD, WEIGHTS)])))


# A page asks for every card several times a run.
@lru_cache(maxsize=64)
def _read_card(folder: Path, _: tuple[object, ...]) -> ModelCard:
    """Read the card of the model in ``folder``, whose files are as they are told to be."""
    name, weights = folder.name, folder / WEIGHTS
    metrics = recorded_metrics(folder, _FILES)
    try:
        text = (folder / CARD).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DamagedWeightsError("not recorded", file=f"{name}/{CARD}") from error
    card = ModelCard(name, _config(folder), metrics, text, weights.stat().st_size if weights.is_file() else 0)
    try:
        _ = card.corpora, card.source_language, card.target_language
    except (KeyError, TypeError) as error:
        raise DamagedWeightsError("no training", model=name) from error
    return card


def load_translator(name: str, device: str | None = None) -> Translator:
    """Return the shipped translator ``name`` on ``device``, or on the best there is, with its own length penalty.

    Raises:
        ValueError: no model of that name ships.
        DamagedWeightsError: its weights, configuration or tokenizer are missing or not the recorded ones, or its
            metrics do not say how it was trained.
    """
    folder = _folder(name)
    metrics = recorded_metrics(folder, _FILES)
    recorded = metrics["sha256"]
    for file in (CONFIG, TOKENIZER):
        check_recorded(folder / file, recorded[file])
    model = EncoderDecoder(_config(folder))
    load_weights(model, folder / WEIGHTS, sha256=recorded[WEIGHTS])
    try:
        source_language = metrics["training"]["data"]["source_language"]
    except (KeyError, TypeError) as error:
        raise DamagedWeightsError("no training", model=name) from error
    # A model that is being published translates before this is measured.
    penalty = metrics["length_penalty"]["chosen"] if "length_penalty" in metrics else DecodingOptions.length_penalty
    return Translator(
        model.to(choose_device(device)),
        Tokenizer.load(folder / TOKENIZER),
        DecodingOptions(length_penalty=penalty),
        backend=backend_of,
        has_capital_nouns=source_language in CAPITAL_NOUNS,
    )


@dataclass(frozen=True)
class HeadMeans:
    """The mean at hook points of a translator over a corpus, for mean ablation, by the point's name.

    ``by_point`` are those of :func:`~model.analysis.interventions.ablation.corpus_means`, over so many ``sentences``
    and tokens.
    """

    by_point: dict[str, Tensor]
    sentences: int
    source_tokens: int
    target_tokens: int


def load_head_means(name: str) -> HeadMeans | None:
    """Return the means of the shipped translator ``name``; None where none ship that were measured on its weights.

    Raises:
        ValueError: no model of that name ships.
        DamagedWeightsError: its metrics are missing or damaged, or the means are not the recorded ones.
    """
    folder = _folder(name)
    metrics = recorded_metrics(folder, _FILES)
    recorded = metrics.get("head_means")
    if recorded is None or recorded["weights"] != metrics["sha256"][WEIGHTS]:
        return None
    check_recorded(folder / MEANS, recorded["sha256"])
    by_point = load((folder / MEANS).read_bytes())
    return HeadMeans(by_point, *(recorded[count] for count in ("sentences", "source_tokens", "target_tokens")))


def _config(folder: Path) -> EncoderDecoderConfig:
    try:
        return load_config(folder / CONFIG)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedWeightsError("not recorded", file=f"{folder.name}/{CONFIG}") from error


def check_recorded(path: Path, sha256: str | None) -> None:
    """Raise DamagedWeightsError unless there is a file at ``path`` with this SHA-256."""
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
        raise DamagedWeightsError("not recorded", file=f"{path.parent.name}/{path.name}")


def recorded_metrics(folder: Path, files: Iterable[str]) -> dict[str, Any]:
    """Return the metrics of the model in ``folder``, with the recorded checksums of its ``files``.

    Raises:
        DamagedWeightsError: its metrics are missing or damaged.
    """
    try:
        metrics: dict[str, Any] = json.loads((folder / METRICS).read_text(encoding="utf-8"))
        for file in files:
            metrics["sha256"][file]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedWeightsError("no metrics", file=f"{folder.name}/{METRICS}") from error
    return metrics


def _state_of(path: Path) -> tuple[int, int] | None:
    """Return what changes when the file at ``path`` does; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _models_in(folder: Path) -> set[str]:
    return {path.parent.name for path in folder.glob(f"*/{CONFIG}")}


def _folder(name: str) -> Path:
    is_name = name == Path(name).name and "\0" not in name
    if not is_name or not (FOLDER / name / CONFIG).is_file():
        raise ValueError(f"no model {name!r} ships; there are {', '.join(shipped()) or 'none'}")
    return FOLDER / name
