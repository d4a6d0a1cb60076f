"""Loads translators whose weights ship in eight bits."""

from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import DamagedWeightsError
from model.config import load_config
from model.decoding.translator import Translator
from model.quantization import dequantized
from model.text.tokenizer import Tokenizer
from pretrained.translators import check_recorded, recorded_metrics


def load_quantized(weights: Path, *, config: Path, tokenizer: Path) -> Translator:
    """Return the translator of these files, on the CPU; the metrics beside ``config`` record all three by their names.

    Raises:
        DamagedWeightsError: a file is missing or not the recorded one.
    """
    files = (weights, config, tokenizer)
    recorded = recorded_metrics(config.parent, [file.name for file in files])["sha256"]
    for file in files:
        check_recorded(file, recorded[file.name])
    try:
        model = EncoderDecoder(load_config(config))
        model.load_state_dict(dequantized(load(weights.read_bytes())))
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise DamagedWeightsError("does not fit", file=weights.name, problem=str(error)) from error
    return Translator(model, Tokenizer.load(tokenizer))
