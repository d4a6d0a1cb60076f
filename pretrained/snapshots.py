"""A translator as it learned: the weights of one run after some of its steps, in eight bits."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.checkpoint import DamagedWeightsError
from model.config import EncoderDecoderConfig, load_config
from model.decoding.translator import Translator
from pretrained.quantization import load_quantized
from pretrained.translators import CONFIG, FOLDER, METRICS, TOKENIZER, check_recorded, recorded_metrics

SNAPSHOTS = FOLDER / "snapshots" / "as-it-learned"


@dataclass(frozen=True)
class TranslatorSnapshot:
    """What was measured of the model after ``step`` steps, on captions that had no part in its training.

    Attributes:
        step: from 1.
        loss: cross-entropy of a target piece, EOS included, in nats.
        bleu: sacreBLEU of greedy translations.
        alignment: of each layer and head of cross-attention, the share of aligned words whose largest weight is on the
            word that they are aligned with.
    """

    step: int
    loss: float
    bleu: float
    alignment: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Learned:
    """All snapshots of the run, the first one first, and their shape; ``metrics`` say what made and measured them."""

    snapshots: tuple[TranslatorSnapshot, ...]
    config: EncoderDecoderConfig
    metrics: dict[str, Any]


def weights_name(step: int) -> str:
    """Return the name of the file with the weights after ``step`` steps."""
    return f"step-{step}.safetensors"


def files_of(step: int, folder: Path = SNAPSHOTS) -> tuple[Path, ...]:
    """Return the files that :func:`load_snapshot` reads."""
    return tuple(folder / name for name in (weights_name(step), CONFIG, TOKENIZER, METRICS))


def read_snapshots(folder: Path = SNAPSHOTS) -> Learned:
    """Return what was measured of the snapshots that ship.

    Raises:
        DamagedWeightsError: their metrics or configuration are missing or damaged.
    """
    metrics = recorded_metrics(folder, (CONFIG, TOKENIZER))
    check_recorded(folder / CONFIG, metrics["sha256"][CONFIG])
    try:
        snapshots = tuple(
            TranslatorSnapshot(one["step"], one["loss"], one["bleu"], tuple(map(tuple, one["alignment"])))
            for one in metrics["snapshots"]
        )
        return Learned(snapshots, load_config(folder / CONFIG), metrics)
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedWeightsError("no metrics", file=f"{folder.name}/{METRICS}") from error


def load_snapshot(step: int, folder: Path = SNAPSHOTS) -> Translator:
    """Return the translator after ``step`` steps, on the CPU; all share one tokenizer.

    Raises:
        DamagedWeightsError: its files are missing or not the recorded ones, or no weights of that step ship.
    """
    return load_quantized(folder / weights_name(step), config=folder / CONFIG, tokenizer=folder / TOKENIZER)
