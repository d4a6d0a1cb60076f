"""Models in folders below one that the owner of a server allows: what may be loaded, and nothing else.

A folder is looked at before anything of it is loaded. No file of it may lead out of the allowed folder; no code of it
is run: weights are safetensors, which hold numbers alone, and a model that brings code is refused.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.weights import (
    SAFE,
    headers_of,
    refuse_more_layers,
    refuse_pointers,
    refuse_quantized,
)

FileStamps = tuple[tuple[str, int, int], ...]
"""Name, time and size of each file."""
CONFIGURATION = "config.json"
_TOKENIZER = "tokenizer_config.json"
_WEIGHTS = "model.safetensors"
_INDEX = f"{_WEIGHTS}.index.json"
_LARGEST_CONFIGURATION = 10**7
PICKLED = {".bin", ".ckpt", ".h5", ".msgpack", ".pickle", ".pkl", ".pt", ".pth"}
"""How files of weights end whose reading could run code."""
NEEDED = re.compile(
    r"model(?:-\d+-of-\d+)?\.safetensors|[\w-][\w.-]*\.json|(?:vocab|merges)\.txt|[\w-][\w.-]*\.(?:model|spm)", re.ASCII
)
"""What a model is made of, as tokenizers of all kinds are saved; a path with a folder in it is another model's."""
_OTHER_FORMATS = {
    "adapter": {"adapter_config.json"},
    "gguf": {".gguf", ".ggml"},
    "onnx": {".onnx"},
    "diffusion": {"model_index.json"},
}
# As deep as models lie in the cache of the hub, below which nobody looks for more.
_DEEPEST = 4
_MOST_FOLDERS = 2_000
_MOST_MODELS = 200
_GIGABYTE = 10**9
SHIPPED = Path(__file__).resolve().parents[1]
"""What the translators of this project lie in, each in a folder of its own."""
_OF_TRANSLATOR = ("weights.safetensors", "tokenizer.model", "metrics.json")


def file_stamps(folder: Path) -> FileStamps:
    """Return the stamps of what lies in ``folder``; none where there is no such folder."""
    try:
        stats = ((path.name, path.stat()) for path in sorted(folder.iterdir()))
        return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)
    except OSError:
        return ()


def is_shipped(folder: Path) -> bool:
    """Return whether ``folder`` is that of a translator that ships: it opens as a model of Transformers would."""
    return folder.resolve().parent == SHIPPED and all((folder / name).is_file() for name in _OF_TRANSLATOR)


def model_names(root: Path) -> tuple[str, ...]:
    """Return the folders below ``root`` that have a configuration, as paths from there; the first of very many."""
    return tuple(sorted(_model_folders(root)))[:_MOST_MODELS]


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
    if place.is_absolute() or ".." in place.parts or not folder.is_dir():
        raise ForeignModelError("no folder")
    if not (folder / CONFIGURATION).is_file():
        raise ForeignModelError(other_format(path.name for path in folder.iterdir()) or "no folder")
    files = [path for path in folder.iterdir() if path.is_file()]
    whole = root.resolve()
    if not all(path.resolve().is_relative_to(whole) for path in (folder, *files)):
        raise ForeignModelError("outside")
    refuse_pointers(files)
    if is_shipped(folder):
        return folder
    configuration = _read(folder / CONFIGURATION)
    of_tokenizer = _read(folder / _TOKENIZER) if (folder / _TOKENIZER).is_file() else {}
    refuse_code(configuration, of_tokenizer)
    _refuse_paths(folder, whole, of_tokenizer)
    refuse_weights({path.name: path.stat().st_size for path in files}, most_bytes)
    headers = headers_of(weight_files(folder))
    refuse_quantized(configuration, headers)
    refuse_more_layers(configuration, headers)
    return folder


def weight_files(folder: Path) -> list[Path]:
    """Return the files of weights in ``folder`` that Transformers loads: the one, or those of the list of parts."""
    if (folder / _WEIGHTS).is_file():
        return [folder / _WEIGHTS]
    parts = _read(folder / _INDEX).get("weight_map") if (folder / _INDEX).is_file() else None
    if not isinstance(parts, dict):
        raise ForeignModelError(other_format(path.name for path in folder.iterdir()) or "no weights")
    files = [folder / name for name in sorted({*map(str, parts.values())})]
    for file in files:
        if not file.is_file():
            raise ForeignModelError("missing part", file=file.name)
    return files


def refuse_code(*configurations: Mapping[str, Any]) -> None:
    """Raise where one of ``configurations`` names code that comes with its model."""
    if any("auto_map" in configuration for configuration in configurations):
        raise ForeignModelError("remote code")


def refuse_weights(sizes: Mapping[str, int], most_bytes: int) -> None:
    """Raise where files of these ``sizes`` hold no safetensors, or too much of them."""
    safe = [size for name, size in sizes.items() if name.endswith(SAFE)]
    if not safe:
        is_pickled = any(Path(name).suffix in PICKLED for name in sizes)
        raise ForeignModelError(other_format(sizes) or ("pickled" if is_pickled else "no weights"))
    refuse_size(sum(safe), most_bytes)


def other_format(names: Iterable[str]) -> str | None:
    """Return what files of these ``names`` are, if they are the model in a form that is not read; else None."""
    endings = {one: (Path(one).name, Path(one).suffix.lower()) for one in names}.values()
    return next((key for key, marks in _OTHER_FORMATS.items() if any(marks & {*ending} for ending in endings)), None)


def first_line(error: BaseException) -> str:
    """Return what ``error`` says, in one line, without what it names of the server's folders."""
    line = next(iter(str(error).splitlines()), "") or type(error).__name__
    if isinstance(error, KeyError):
        # The name alone, of what is in no list, says nothing.
        line = f"{line} is not known"
    words = (word if os.sep not in word else "…" for word in line.split())
    return " ".join(words)[:160]


def _model_folders(root: Path) -> Iterator[str]:
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
        is_readable = file.stat().st_size <= _LARGEST_CONFIGURATION
        content = json.loads(file.read_text(encoding="utf-8")) if is_readable else None
    except (OSError, RecursionError, ValueError):
        content = None
    if not isinstance(content, dict):
        raise ForeignModelError("damaged configuration", file=file.name)
    return content


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


def refuse_size(n_bytes: int, most_bytes: int) -> None:
    """Raise where weights of ``n_bytes`` are more than ``most_bytes``."""
    if n_bytes > most_bytes:
        raise ForeignModelError("too large", given=_in_gigabytes(n_bytes), most=_in_gigabytes(most_bytes))


def _in_gigabytes(n_bytes: int) -> str:
    size = n_bytes / _GIGABYTE
    return f"{size:,.0f} GB" if size >= 10 else f"{size:.2g} GB"
