"""Finished runs: the translators that their best weights make."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import load_state
from model.config import config_from_dict
from model.decoding.translator import Translator
from model.text.tokenizer import Tokenizer
from model.training.history import read_history


@dataclass(frozen=True)
class FinishedRun:
    """The translator of a run's best weights, and the entries of the configuration that the run ended with."""

    translator: Translator
    training: Mapping[str, Any]


def load_finished(folder: Path, device: torch.device) -> FinishedRun:
    """Return the run in ``folder``, its model on ``device``; raises ValueError if it has not validated yet."""
    history = read_history(folder)
    if not history or not (folder / "best.pt").is_file():
        raise ValueError(f"{folder} holds no run that has been validated; name the folder of a finished run")
    training = history[-1]["training"]
    model = EncoderDecoder(config_from_dict(training["model"]))
    model.load_state_dict(load_state(folder / "best.pt")["weights"])
    return FinishedRun(Translator(model.to(device), Tokenizer.load(folder / "tokenizer.model")), training)
