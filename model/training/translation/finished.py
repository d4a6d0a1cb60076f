"""Loads finished runs as translators, with their best weights."""

from dataclasses import dataclass
from pathlib import Path

import torch

from model.decoding.translator import Translator
from model.training.encoder_decoder import load_best
from model.training.translation.config import TranslationTraining, translation_training


@dataclass(frozen=True)
class FinishedRun:
    """The translator with a run's best weights, and the configuration that the run ended with."""

    translator: Translator
    training: TranslationTraining


def load_finished(folder: Path, device: torch.device) -> FinishedRun:
    """Return the run in ``folder``, its model on ``device``; raises ValueError before it has validated."""
    training, model, tokenizer = load_best(folder, translation_training, device)
    return FinishedRun(Translator(model, tokenizer), training)
