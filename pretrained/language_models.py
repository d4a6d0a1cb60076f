"""The shipped language models of characters: a folder for each, and the measurements of all runs, shipped or not."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import DamagedWeightsError, load_weights
from model.config import decoder_only_from_dict
from model.device import choose_device
from model.text.characters import CharacterVocabulary
from pretrained.translators import CONFIG, FOLDER, WEIGHTS, check_recorded, recorded_metrics, shipped_in

LANGUAGE_MODELS = FOLDER / "language_models"
VOCABULARY = "vocabulary.json"
RESULTS, SPEED = "results.json", "evaluation_speed.json"
CONTEXTS = ("effective_context.parquet", "effective_context_fine.parquet")
"""Of all runs, and in smaller steps of the models that ship."""


@dataclass(frozen=True)
class LanguageModel:
    """A shipped model in evaluation mode, its vocabulary, the segment and memory it was trained with, its metrics."""

    name: str
    model: DecoderOnly
    vocabulary: CharacterVocabulary
    segment_length: int
    mem_len: int
    metrics: dict[str, Any]


def shipped_language_models(folder: Path = LANGUAGE_MODELS) -> tuple[str, ...]:
    """Return the names of all language models that ship, in alphabetical order."""
    return shipped_in(folder)


def load_language_model(name: str, folder: Path = LANGUAGE_MODELS, device: str | None = "cpu") -> LanguageModel:
    """Return the shipped language model ``name`` on ``device``; None for the best there is.

    Raises:
        ValueError: no model of that name ships.
        DamagedWeightsError: its metrics, weights, configuration or vocabulary are missing or not the recorded ones.
    """
    known = shipped_language_models(folder)
    if name not in known:
        raise ValueError(f"no language model {name!r} ships; there are {', '.join(known) or 'none'}")
    metrics = recorded_metrics(folder / name, (WEIGHTS, CONFIG, VOCABULARY))
    recorded = metrics["sha256"]
    for file in (CONFIG, VOCABULARY):
        check_recorded(folder / name / file, recorded[file])
    vocabulary = CharacterVocabulary.from_json((folder / name / VOCABULARY).read_text(encoding="utf-8"))
    config = json.loads((folder / name / CONFIG).read_text(encoding="utf-8"))
    model = DecoderOnly(decoder_only_from_dict(config))
    load_weights(model, folder / name / WEIGHTS, sha256=recorded[WEIGHTS])
    try:
        segment_length, mem_len = (int(metrics["training"]["data"][key]) for key in ("segment_length", "mem_len"))
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedWeightsError("no training", model=name) from error
    return LanguageModel(name, model.to(choose_device(device)).eval(), vocabulary, segment_length, mem_len, metrics)


def effective_context_losses(folder: Path = LANGUAGE_MODELS) -> list[pd.DataFrame]:
    """Return the losses of each file that ``python -m pretrained.publishing effective_context`` wrote.

    Raises:
        ValueError: a file is damaged.
    """
    return [pd.read_parquet(folder / name) for name in CONTEXTS if (folder / name).is_file()]


def evaluation_speed(folder: Path = LANGUAGE_MODELS) -> dict[str, Any]:
    """Return what ``python -m benchmarks.evaluation_speed --results`` keeps; nothing where that was not measured.

    Raises:
        ValueError: the file is damaged.
    """
    path = folder / SPEED
    if not path.is_file():
        return {}
    speed: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return speed


def language_model_results(folder: Path = LANGUAGE_MODELS) -> list[dict[str, Any]]:
    """Return every evaluation that was published, as ``pretrained.publishing evaluate_language_model`` keeps them.

    Raises:
        ValueError: the file is damaged.
    """
    path = folder / RESULTS
    if not path.is_file():
        return []
    results: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return results
