"""The kinds of training runs that a configuration file can describe: its entry ``kind`` names one."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import torch

from model.training.config import read_toml
from model.training.language_model.config import LanguageModelTraining, language_model_training
from model.training.language_model.measure import measure_language_model
from model.training.language_model.trainer import language_model_trainer
from model.training.loop import Trainer
from model.training.parsing.config import ParserTraining, parser_training
from model.training.parsing.measure import measure_parser
from model.training.parsing.trainer import parser_trainer
from model.training.processes import ALONE, Processes
from model.training.translation.config import TranslationTraining, translation_training
from model.training.translation.measure import measure_translator
from model.training.translation.trainer import translation_trainer

Training = TranslationTraining | LanguageModelTraining | ParserTraining


@runtime_checkable
class MakeTrainer(Protocol):
    """A factory of a run's trainer, at its first step or where the run in ``folder`` stopped."""

    def __call__(
        self,
        training: Any,
        *,
        folder: Path,
        device: torch.device,
        data_dir: Path | None = None,
        processes: Processes = ALONE,
    ) -> Trainer[Any]:
        """Return the trainer; raises ValueError or CorpusMissingError for what cannot be trained."""
        ...


@runtime_checkable
class Measure(Protocol):
    """Measurement of the best weights in ``folder`` on data that had no part in training."""

    def __call__(self, folder: Path, *, device: torch.device, data_dir: Path | None = None) -> dict[str, Any]:
        """Return the measures by name."""
        ...


@dataclass(frozen=True)
class Kind:
    """A kind of run: its configuration, trainer and measurement."""

    read: Callable[[dict[str, Any]], Training]
    trainer: MakeTrainer
    measure: Measure


KINDS = {
    "translation": Kind(translation_training, translation_trainer, measure_translator),
    "language_model": Kind(language_model_training, language_model_trainer, measure_language_model),
    "parsing": Kind(parser_training, parser_trainer, measure_parser),
}


def training_from_entries(entries: dict[str, Any], *, seed: int | None = None) -> Training:
    """Return the run with these entries of a configuration file, with another ``seed`` if one is given.

    Raises:
        ValueError: an unknown kind, or an entry that is missing, unknown or out of range.
    """
    kind = entries.get("kind")
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; a configuration names one of {', '.join(KINDS)}")
    training = KINDS[kind].read(entries)
    return training if seed is None else dataclasses.replace(training, seed=seed)


def load_training(path: Path, *, seed: int | None = None) -> Training:
    """Return the run described by the TOML file ``path``, with another ``seed`` if one is given.

    Raises:
        ValueError: the file is no TOML, or as :func:`training_from_entries`.
    """
    return training_from_entries(read_toml(path), seed=seed)
