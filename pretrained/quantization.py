"""Weights in eight bits, where many models of one shape ship together."""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import DamagedWeightsError
from model.config import load_config
from model.decoding.translator import Translator
from model.text.tokenizer import Tokenizer
from pretrained.translators import check_recorded, recorded_metrics

_LARGEST = 127
_SCALE = ".scale"


def quantized(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return ``weights`` with every matrix as int8 and a float16 scale of each row, under its name and ``.scale``.

    The largest weight of a row, in magnitude, is ±127 scales (symmetric quantisation by rows, as Dettmers et al. 2022,
    arXiv:2208.07339, §2.2). What is no matrix is float16.
    """
    stored: dict[str, Tensor] = {}
    for name, tensor in weights.items():
        whole = tensor.detach().to("cpu", torch.float32)
        if tensor.ndim < 2:
            stored[name] = whole.half()
            continue
        # Half precision first: what the rows are divided by is then what they are multiplied by.
        scale = (whole.abs().amax(-1, keepdim=True) / _LARGEST).clamp(min=torch.finfo(torch.float16).tiny).half()
        stored[name] = (whole / scale.float()).round().clamp(-_LARGEST, _LARGEST).to(torch.int8)
        stored[name + _SCALE] = scale
    return stored


def dequantized(stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights that :func:`quantized` stored, in float32; raises KeyError where a matrix has no scale."""
    return {
        name: tensor.float() * stored[name + _SCALE].float() if tensor.dtype == torch.int8 else tensor.float()
        for name, tensor in stored.items()
        if not name.endswith(_SCALE)
    }


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
