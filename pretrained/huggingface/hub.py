"""Models by their names on a hub, fetched into the allowed folder: numbers, texts and nothing that could run.

Of a model's files those are fetched that a folder needs: its configuration, its tokenizer, and weights as safetensors.
Their sizes are known before the first byte of them is. What is fetched is then a folder as any other, and is looked at
like any other before it is loaded.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import CONFIGURATION, NEEDED, refuse_code, refuse_weights
from pretrained.huggingface.weights import SAFE

PLACE = "hub"
"""The folder below the allowed one that fetched models lie in."""
MAX_CHARACTERS = 193

_NAME = re.compile(r"[a-zA-Z0-9][\w.-]{0,95}/[a-zA-Z0-9][\w.-]{0,95}", re.ASCII)
_SECONDS = 15.0
_CHUNK = 1 << 20
_LARGEST_TEXT = 10**7
_NOT_THERE = {401, 403, 404}
# Of the weights that one model may have, so many times that is kept.
_MOST_KEPT = 4

Tick = Callable[[int, int], object]


@dataclass(frozen=True)
class HubFile:
    """A file of a model on the hub: its name, its size in bytes, and its SHA-256 where the hub says it."""

    name: str
    size: int
    digest: str | None


def fetch(root: Path, name: str, *, most_bytes: int, endpoint: str, tick: Tick = lambda *_: None) -> str:
    """Fetch the model ``name`` and return its folder, a path from ``root``; the oldest that were fetched make room.

    Args:
        root: the folder that is allowed.
        name: owner/name.
        most_bytes: that its weights may have.
        endpoint: the address of the hub.
        tick: called after each part with the bytes so far, and those that there are; where it raises, nothing is left.

    Raises:
        ForeignModelError: no such name, no network, a model that may not be loaded, or a damaged file.
    """
    if not _NAME.fullmatch(name) or ".." in name:
        raise ForeignModelError("no hub name")
    try:
        listed = _listed(_read(f"{endpoint}/api/models/{name}?blobs=true"))
        files = [file for file in listed if NEEDED.fullmatch(file.name)]
        # Weights of other kinds are none of its size: they are not fetched.
        others = {file.name: 0 for file in listed if not file.name.endswith(SAFE)}
        refuse_weights(others | {file.name: file.size for file in files}, most_bytes)
        source = f"{endpoint}/{name}/resolve/main"
        refuse_code(_read(f"{source}/{CONFIGURATION}"))
        _make_room(root / PLACE, _MOST_KEPT * most_bytes - sum(file.size for file in files))
        _fetch_all(files, source, root / PLACE / name, tick)
    except ForeignModelError:
        raise
    except HTTPError as error:
        with error:
            raise ForeignModelError("not on hub" if error.code in _NOT_THERE else "no hub") from error
    except (OSError, HTTPException, KeyError, TypeError, ValueError) as error:
        raise ForeignModelError("no hub") from error
    return f"{PLACE}/{name}"


def _listed(answer: Mapping[str, Any]) -> list[HubFile]:
    return [
        HubFile(file["rfilename"], int(file["size"]), (file.get("lfs") or {}).get("sha256"))
        for file in answer["siblings"]
    ]


def _fetch_all(files: Sequence[HubFile], source: str, place: Path, tick: Tick) -> None:
    """Have the folder ``place`` hold all ``files``, or be as it was."""
    place.parent.mkdir(parents=True, exist_ok=True)
    n_bytes, done = sum(file.size for file in files), 0
    with TemporaryDirectory(dir=place.parent, prefix=".") as staging:
        for file in files:
            digest, left = sha256(), file.size
            path = Path(staging) / file.name
            with urlopen(f"{source}/{file.name}", timeout=_SECONDS) as response, path.open("wb") as out:
                while part := response.read(min(_CHUNK, left + 1)):
                    left -= len(part)
                    if left < 0:
                        break
                    digest.update(part)
                    out.write(part)
                    done += len(part)
                    tick(done, n_bytes)
            if left or file.digest not in (None, digest.hexdigest()):
                raise ForeignModelError("damaged on hub", file=file.name)
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(staging, place, copy_function=os.replace)


def _make_room(place: Path, most_bytes: int) -> None:
    """Remove the folders below ``place`` that were fetched first, until the rest has at most ``most_bytes``."""
    folders = filter(Path.is_dir, place.glob("*/*"))
    for folder in sorted(folders, key=lambda folder: folder.stat().st_mtime, reverse=True):
        most_bytes -= sum(file.stat().st_size for file in folder.iterdir())
        if most_bytes < 0:
            shutil.rmtree(folder)


def _read(address: str) -> Mapping[str, Any]:
    with urlopen(address, timeout=_SECONDS) as response:
        answer = json.loads(response.read(_LARGEST_TEXT))
    if not isinstance(answer, dict):
        raise TypeError(address)
    return answer
