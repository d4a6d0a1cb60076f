"""Models in folders below one that the owner of a server allows: what may be loaded, and nothing else.

A folder is looked at before anything of it is loaded. No file of it may lead out of the allowed folder; no code of it
is run: weights are safetensors, which hold numbers alone, and a model that brings code is refused.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from pretrained.huggingface.errors import ForeignModelError

CONFIGURATION = "config.json"
_TOKENIZER = "tokenizer_config.json"
_INDEX = "model.safetensors.index.json"
SAFE = ".safetensors"
"""How a file of weights ends that holds numbers alone."""
_PICKLED = {".bin", ".ckpt", ".h5", ".msgpack", ".pickle", ".pkl", ".pt", ".pth"}
# As deep as models lie in the cache of the hub, below which nobody looks for more.
_DEEPEST = 4
_MOST_FOLDERS = 2_000
_MOST_MODELS = 200
_GIGABYTE = 10**9


def model_names(root: Path) -> tuple[str, ...]:
    """Return the folders below ``root`` that have a configuration, as paths from there; the first of very many."""
    return tuple(sorted(_found(root)))[:_MOST_MODELS]


def checked_folder(root: Path, name: str, most_bytes: int) -> Path:
    """Return the folder ``name`` below ``root`` of a model that may be loaded.

    Args:
        root: the folder that is allowed.
        name: a path from there.
        most_bytes: that its weights may have.

    Raises:
        ForeignModelError: no model, one that leads out of ``root``, one that could run code, or one too large.
    """
    place = PurePosixPath(name)
    folder = root / place
    if place.is_absolute() or ".." in place.parts or not (folder / CONFIGURATION).is_file():
        raise ForeignModelError("no folder")
    files = [path for path in folder.iterdir() if path.is_file()]
    whole = root.resolve()
    if not all(path.resolve().is_relative_to(whole) for path in (folder, *files)):
        raise ForeignModelError("outside")
    configuration = _read(folder / CONFIGURATION)
    of_tokenizer = _read(folder / _TOKENIZER) if (folder / _TOKENIZER).is_file() else {}
    refuse_code(configuration, of_tokenizer)
    _refuse_paths(folder, whole, of_tokenizer)
    refuse_weights({path.name: path.stat().st_size for path in files}, most_bytes)
    return folder


def refuse_code(*configurations: Mapping[str, Any]) -> None:
    """Raise where one of ``configurations`` names code that comes with its model."""
    if any("auto_map" in configuration for configuration in configurations):
        raise ForeignModelError("remote code")


def refuse_weights(sizes: Mapping[str, int], most_bytes: int) -> None:
    """Raise where files of these ``sizes`` hold no safetensors, or too much of them."""
    safe = [size for name, size in sizes.items() if name.endswith(SAFE)]
    if not safe:
        raise ForeignModelError("pickled" if any(Path(name).suffix in _PICKLED for name in sizes) else "no weights")
    _refuse_size(sum(safe), most_bytes)


def load(folder: Path, most_bytes: int) -> tuple[Any, Any]:
    """Return the model and the tokenizer in ``folder``, which :func:`checked_folder` returned.

    Raises:
        ForeignModelError: a kind of model that Transformers does not know, one whose configuration asks for more than
            ``most_bytes``, or one that does not load.
    """
    # It takes seconds to import, and those who only look at folders do without.
    import torch  # noqa: PLC0415
    from transformers import AutoConfig, AutoTokenizer  # noqa: PLC0415
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: PLC0415

    kind = _read(folder / CONFIGURATION).get("model_type")
    if not isinstance(kind, str) or kind not in CONFIG_MAPPING:
        raise ForeignModelError("unknown kind", kind=str(kind)[:40].replace("`", "'"))
    safely = {"local_files_only": True, "trust_remote_code": False}
    try:
        config = AutoConfig.from_pretrained(folder, **safely)
        auto = _auto_class(config)
        # What the configuration asks for is made whether or not the files have it.
        with torch.device("meta"):
            n_numbers = sum(numbers.numel() for numbers in auto.from_config(config).parameters())
        _refuse_size(n_numbers * 4, most_bytes)
        model = auto.from_pretrained(
            folder, **safely, use_safetensors=True, attn_implementation="eager", dtype=torch.float32
        )
    except ForeignModelError:
        raise
    except Exception as error:
        # What others wrote may be wrong in any way.
        raise ForeignModelError("does not load", reason=first_line(error)) from error
    try:
        return model, AutoTokenizer.from_pretrained(folder, **safely)
    except Exception as error:
        raise ForeignModelError("tokenizer", reason=first_line(error)) from error


def _auto_class(config: Any) -> Any:
    """Return the class of Transformers that loads a model with all that it predicts with, if its files have that."""
    from transformers import AutoModel, AutoModelForCausalLM, AutoModelForMaskedLM, AutoModelForSeq2SeqLM  # noqa: PLC0415
    from transformers.models.auto import modeling_auto  # noqa: PLC0415

    (saved, *_) = config.architectures or ("",)
    masked = modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
    if config.is_encoder_decoder:
        return AutoModelForSeq2SeqLM
    if saved in masked.values() or (saved.endswith("ForPreTraining") and config.model_type in masked):
        return AutoModelForMaskedLM
    return AutoModelForCausalLM if saved in modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.values() else AutoModel


def first_line(error: BaseException) -> str:
    """Return what ``error`` says, in one line, without what it names of the server's folders."""
    line = next(iter(str(error).splitlines()), "") or type(error).__name__
    words = (word if os.sep not in word else "…" for word in line.split())
    return " ".join(words)[:160]


def _found(root: Path) -> Iterator[str]:
    for number, (folder, inner, files) in enumerate(os.walk(root)):
        place = Path(folder).relative_to(root)
        # What is just being fetched is hidden.
        inner[:] = [name for name in inner if not name.startswith(".")]
        if len(place.parts) >= _DEEPEST or number >= _MOST_FOLDERS:
            inner.clear()
        if CONFIGURATION in files:
            inner.clear()
            yield place.as_posix()


def _read(file: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, RecursionError, ValueError):
        found = None
    if not isinstance(found, dict):
        raise ForeignModelError("damaged configuration")
    return found


def _refuse_paths(folder: Path, whole: Path, of_tokenizer: Mapping[str, Any]) -> None:
    """Raise where the tokenizer, or the list of the weights' parts, names a file outside of ``whole``."""
    named = [value for key, value in of_tokenizer.items() if key.endswith("_file") and isinstance(value, str)]
    if (folder / _INDEX).is_file():
        parts = _read(folder / _INDEX).get("weight_map")
        named += [str(part) for part in parts.values()] if isinstance(parts, dict) else []
    for name in {*named}:
        path = folder / name
        if path.exists() and not path.resolve().is_relative_to(whole):
            raise ForeignModelError("outside")


def _refuse_size(n_bytes: int, most_bytes: int) -> None:
    if n_bytes > most_bytes:
        raise ForeignModelError("too large", given=_in_gigabytes(n_bytes), most=_in_gigabytes(most_bytes))


def _in_gigabytes(n_bytes: int) -> str:
    size = n_bytes / _GIGABYTE
    return f"{size:,.0f} GB" if size >= 10 else f"{size:.2g} GB"
