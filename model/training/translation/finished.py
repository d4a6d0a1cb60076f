"""Loads finished runs as translators, with their best weights."""

from dataclasses import dataclass
from pathlib import Path

import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import load_state
from model.decoding.translator import Translator
from model.text.tokenizer import Tokenizer
from model.training.history import read_history
from model.training.translation.config import TranslationTraining, translation_training


@dataclass(frozen=True)
class FinishedRun:
    """The translator with a run's best weights, and the configuration that the run ended with."""

    translator: Translator
    training: TranslationTraining


def load_finished(folder: Path, device: torch.device) -> FinishedRun:
    """Return the run in ``folder``, its model on ``device``; raises ValueError if it has not validated yet."""
    history = read_history(folder)
    if not history or not (folder / "best.pt").is_file():
        raise ValueError(f"{folder} holds no run that has been validated; name the folder of a finished run")
    training = translation_training(history[-1]["training"])
    model = EncoderDecoder(training.model)
    model.load_state_dict(load_state(folder / "best.pt")["weights"])
    return FinishedRun(Translator(model.to(device), Tokenizer.load(folder / "tokenizer.model")), training)
