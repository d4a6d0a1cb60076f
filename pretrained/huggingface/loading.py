"""Loading a model from a folder that was looked at: what it computes with is what its files hold, and nothing else."""

import json
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch.nn.modules.module import register_module_module_registration_hook
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
)
from transformers.models.auto import modeling_auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import CONFIGURATION, first_line, is_shipped, refuse_size, weight_files
from pretrained.huggingface.shipped import load_shipped
from pretrained.huggingface.weights import headers_of, layer_of, listed

# One of these has the tokens, or says which tokenizer does without a list of them, as one of bytes.
_TOKENIZER_FILE = re.compile(r"tokenizer(?:_config)?\.json|.*vocab.*\.(?:json|txt)|.*\.(?:model|spm|tiktoken)")
_SAFELY: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
# Whatever the configuration says: no other way of computing attention hands it out.
_EAGER = "eager"
# A model has two modules for each of its tensors at most, and some for the whole.
_MODULES_PER_TENSOR, _MORE_MODULES = 10, 1_000
_BYTES_PER_WEIGHT = 4
# Each gives maps of blocks or of chosen tokens, and none of all.
_SPARSE = {
    *("big_bird", "bigbird_pegasus", "led", "longformer", "longt5", "mra", "nystromformer", "pegasus_x", "reformer"),
    "yoso",
}


def load(folder: Path, most_bytes: int) -> tuple[Any, Any]:
    """Return the model and the tokenizer in ``folder``, which :func:`checked_folder` returned.

    A translator that ships with this project is one, too.

    Raises:
        ForeignModelError: a kind of model that Transformers does not know or that reads no text, one whose
            configuration asks for more than ``most_bytes`` or for what the files do not hold, one whose weights are no
            numbers, or one that does not load.
    """
    if is_shipped(folder):
        return load_shipped(folder)
    kind = json.loads((folder / CONFIGURATION).read_text(encoding="utf-8")).get("model_type")
    if not isinstance(kind, str) or kind not in CONFIG_MAPPING:
        raise ForeignModelError("unknown kind", kind=str(kind)[:40].replace("`", "'"))
    try:
        config = AutoConfig.from_pretrained(folder, **_SAFELY)
        config._attn_implementation = _EAGER
        auto = _auto_class(config)
        _refuse_kind(config, auto)
        if not any(_TOKENIZER_FILE.fullmatch(path.name) for path in folder.iterdir()):
            raise ForeignModelError("no tokenizer")
        _refuse_parts(config, auto, folder, most_bytes)
        model = _load(folder, config, auto)
        _add_bias_once(model)
    except ForeignModelError:
        raise
    except Exception as error:
        # What others wrote may be wrong in any way.
        raise ForeignModelError("does not load", reason=first_line(error)) from error
    return model, _tokenizer(folder)


def _add_bias_once(model: Any) -> None:
    """Have Falcon add ALiBi's bias once.

    The mask holds the bias, and the eager attention of Transformers adds it once more; other ways of computing it do
    not.
    """
    if model.config.model_type != "falcon" or not model.config.alibi:
        return
    for module in model.modules():
        if type(module).__name__ == "FalconAttention":
            module.register_forward_pre_hook(_without_bias, with_kwargs=True)


def _without_bias(_: Any, inputs: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return inputs, {**named, "alibi": torch.zeros_like(named["alibi"])}


def _tokenizer(folder: Path) -> Any:
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, **_SAFELY)
    except Exception as error:
        raise ForeignModelError("tokenizer", reason=first_line(error)) from error
    # Without a vocabulary, Transformers makes a tokenizer of special tokens.
    if len(tokenizer) <= len({*tokenizer.all_special_ids}):
        raise ForeignModelError("no tokenizer")
    return tokenizer


def _auto_class(config: Any) -> Any:
    """Return the class of Transformers that loads a model with all that it predicts with, if its files have that."""
    (saved, *_) = config.architectures or ("",)
    masked = modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
    if config.is_encoder_decoder:
        # One that hears, such as Whisper, writes text but reads none.
        writes = config.model_type in modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
        return AutoModelForSeq2SeqLM if writes else AutoModel
    if saved in masked.values() or (saved.endswith("ForPreTraining") and config.model_type in masked):
        return AutoModelForMaskedLM
    return AutoModelForCausalLM if saved in modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.values() else AutoModel


def _refuse_kind(config: Any, auto: Any) -> None:
    """Raise for a model that reads no text, or whose attention is of chosen places alone."""
    is_of_images = auto is AutoModel and getattr(config, "vision_config", None) is not None
    if is_of_images or getattr(config.get_text_config(), "vocab_size", None) is None:
        raise ForeignModelError("no text model", kind=config.model_type)
    if config.model_type in _SPARSE and getattr(config, "attention_type", "") != "original_full":
        raise ForeignModelError("sparse", kind=config.model_type)


def _refuse_parts(config: Any, auto: Any, folder: Path, most_bytes: int) -> None:
    """Raise where the model that ``config`` asks for is larger than allowed, or by far than the files in ``folder``.

    What the configuration asks for is made whether or not the files have it.
    """
    n_tensors = len(headers_of(weight_files(folder)))
    with torch.device("meta"), _at_most_modules(_MODULES_PER_TENSOR * n_tensors + _MORE_MODULES):
        made = auto.from_config(config, attn_implementation=_EAGER)
    if made.main_input_name != "input_ids":
        raise ForeignModelError("no text model", kind=config.model_type)
    refuse_size(sum(numbers.numel() for numbers in made.parameters()) * _BYTES_PER_WEIGHT, most_bytes)


@contextmanager
def _at_most_modules(most: int) -> Iterator[None]:
    """Have whatever makes more than ``most`` modules raise: a hundred thousand take minutes."""
    n_made = 0

    def count(*_: Any) -> None:
        nonlocal n_made
        n_made += 1
        if n_made > most:
            raise ForeignModelError("more parts")

    handle = register_module_module_registration_hook(count)
    try:
        yield
    finally:
        handle.remove()


def _load(folder: Path, config: Any, auto: Any) -> Any:
    """Return the model, without its head where that alone is not in the files.

    Raises:
        ForeignModelError: tensors that are not in the files, which would be random; those of layers that the model does
            not have; others of another shape; or values that are no numbers.
    """
    model, report = auto.from_pretrained(
        folder,
        config=config,
        **_SAFELY,
        use_safetensors=True,
        attn_implementation=_EAGER,
        dtype=torch.float32,
        output_loading_info=True,
        # They are told by name instead.
        ignore_mismatched_sizes=True,
    )
    # What is made of the first token's last state has no part in attention, and is not shown.
    missing = [name for name in report["missing_keys"] if "pooler." not in name]
    base = f"{model.base_model_prefix}."
    if missing and _has_head(auto) and not any(name.startswith(base) for name in missing):
        return _load(folder, config, AutoModel)
    _refuse_tensors("missing tensors", missing)
    _refuse_tensors("other shapes", [name for name, *_ in report["mismatched_keys"]])
    _refuse_tensors("surplus tensors", _of_other_layers(report["unexpected_keys"], model, base))
    _refuse_values(model)
    return model


def _has_head(auto: Any) -> bool:
    # The parts of an encoder–decoder begin with no common word.
    return auto in (AutoModelForCausalLM, AutoModelForMaskedLM)


def _of_other_layers(names: Collection[str], model: Any, base: str) -> list[str]:
    """Return those of ``names`` that belong to the stacks of layers in ``model``: others are of a head."""
    own = filter(None, (layer_of(name.removeprefix(base)) for name, _ in model.named_parameters()))
    stacks = {stack for stack, _ in own}
    places = ((name, layer_of(name.removeprefix(base))) for name in names)
    return [name for name, place in places if place and place[0] in stacks]


def _refuse_values(model: Any) -> None:
    names = [name for name, weights in model.named_parameters() if not weights.isfinite().all()]
    layers = [place[1] for place in map(layer_of, names) if place]
    if layers:
        raise ForeignModelError("no numbers in layer", n=len(names), names=listed(names), layer=1 + min(layers))
    _refuse_tensors("no numbers", names)


def _refuse_tensors(key: str, names: Collection[str]) -> None:
    if names:
        raise ForeignModelError(key, n=len(names), names=listed(names))
