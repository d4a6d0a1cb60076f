"""The shipped models of table 3: telling rows of the ablations, each by its first seed."""

from pathlib import Path

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import DamagedWeightsError, load_weights
from model.config import load_config
from model.decoding.translator import Translator
from model.text.tokenizer import Tokenizer
from pretrained.translators import CONFIG, FOLDER, METRICS, TOKENIZER, WEIGHTS, check_recorded, recorded_metrics

MODELS = FOLDER / "ablations" / "models"
ROWS = ("base", "h1", "h32", "n1", "nope", "unscaled", "no-residual")
"""The rows that ship, by the names of the page's table."""


def files_of(row: str) -> tuple[Path, ...]:
    """Return the files that :func:`load_ablated` reads of ``row``."""
    return (MODELS / row / WEIGHTS, MODELS / row / CONFIG, MODELS / row / METRICS, MODELS / TOKENIZER)


def load_ablated(row: str) -> Translator:
    """Return the translator of ``row``, one of :data:`ROWS`, on the CPU; all share one tokenizer.

    Raises:
        ValueError: no such row ships.
        DamagedWeightsError: its files are missing or not the recorded ones.
    """
    if row not in ROWS:
        raise ValueError(f"no model of the row {row!r} ships; there are {', '.join(ROWS)}")
    recorded = recorded_metrics(MODELS / row, (WEIGHTS, CONFIG, TOKENIZER))["sha256"]
    check_recorded(MODELS / row / CONFIG, recorded[CONFIG])
    check_recorded(MODELS / TOKENIZER, recorded[TOKENIZER])
    try:
        model = EncoderDecoder(load_config(MODELS / row / CONFIG))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedWeightsError("not recorded", file=f"{row}/{CONFIG}") from error
    load_weights(model, MODELS / row / WEIGHTS, sha256=recorded[WEIGHTS])
    return Translator(model, Tokenizer.load(MODELS / TOKENIZER))
