"""Models in the cache of the Hugging Face hub on this machine, where Transformers keeps what it loads by name.

models--OWNER--NAME/refs/main                 the name of a revision
models--OWNER--NAME/snapshots/REVISION/…      symbolic links into models--OWNER--NAME/blobs
"""

import os
from dataclasses import dataclass
from pathlib import Path

from pretrained.huggingface.folders import CONFIGURATION
from pretrained.huggingface.weights import SAFE

_PREFIX = "models--"
_MOST_MODELS = 500


@dataclass(frozen=True)
class CachedModel:
    """A model in the cache.

    Attributes:
        name: on the hub, owner/name.
        root: the folder that its links stay in.
        place: of its files, a path from there.
        n_bytes: of its weights as safetensors.
    """

    name: str
    root: Path
    place: str
    n_bytes: int


def cache_folder() -> Path:
    """Return where the cache lies, as the hub's own client finds it by the environment."""
    home = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "huggingface")
    return Path(os.environ.get("HF_HUB_CACHE") or Path(home, "hub")).expanduser()


def cached_models(cache: Path) -> tuple[CachedModel, ...]:
    """Return the models in ``cache`` that have a configuration, by name; none where there is no such folder."""
    try:
        folders = sorted(cache.glob(f"{_PREFIX}*"))[:_MOST_MODELS]
        models = (_cached(folder) for folder in folders)
        return tuple(model for model in models if model)
    except OSError:
        return ()


def _cached(root: Path) -> CachedModel | None:
    """Return the model in ``root``: the revision that its name stands for, else the one that was fetched last."""
    snapshots = root / "snapshots"
    revisions = sorted(
        (path.parent for path in snapshots.glob(f"*/{CONFIGURATION}")), key=lambda path: path.stat().st_mtime
    )
    main = root / "refs" / "main"
    named = snapshots / main.read_text(encoding="utf-8", errors="replace").strip()[:80] if main.is_file() else None
    if not revisions:
        return None
    folder = named if named in revisions else revisions[-1]
    n_bytes = sum(path.stat().st_size for path in folder.glob(f"*{SAFE}") if path.is_file())
    name = root.name.removeprefix(_PREFIX).replace("--", "/")
    return CachedModel(name, root, folder.relative_to(root).as_posix(), n_bytes)
