"""Permissions for a visitor's models: all on a server for one person, else the owner's settings."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from viz.shell.one_person import is_for_one_person

FOLDER_VARIABLE, GIGABYTES_VARIABLE, HUB_VARIABLE = "OWN_MODELS_FOLDER", "OWN_MODELS_GIGABYTES", "OWN_MODELS_HUB"
UPLOAD_VARIABLE = "OWN_MODELS_UPLOAD"
_GIGABYTE = 10**9
_GIGABYTES = 2.0


@dataclass(frozen=True)
class Permissions:
    """Permissions for a visitor's models.

    Attributes:
        folder: that models lie below, named by the owner of the server; None where none is.
        most_bytes: that the weights of one may need.
        hub: the address of the hub that models are fetched from, into the folder; None where none are.
        uploads: whether a model may be sent, for which there is room for temporary files.
        is_local: whether any folder of this machine, and its cache of models, may be looked into.
    """

    folder: Path | None
    most_bytes: int
    hub: str | None
    uploads: bool
    is_local: bool

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways in, as links name them."""
        ways = {
            "upload": self.uploads,
            "machine": self.is_local,
            "folder": self.is_local or self.folder is not None,
            "hub": self.hub is not None,
        }
        return tuple(way for way, is_open in ways.items() if is_open)


def allowed() -> Permissions:
    """Return what this visitor may bring.

    A size that is no number counts as not named, and so does an address of another kind than http.
    """
    is_local = is_for_one_person()
    named = os.environ.get(FOLDER_VARIABLE, "")
    folder = Path(named) if named and Path(named).is_dir() else None
    hub = os.environ.get(HUB_VARIABLE, "").rstrip("/") if folder else ""
    return Permissions(
        folder,
        _most_bytes(),
        hub if hub.startswith(("http://", "https://")) else None,
        (is_local or os.environ.get(UPLOAD_VARIABLE) == "on") and _has_temporary_folder(),
        is_local,
    )


def _has_temporary_folder() -> bool:
    try:
        return bool(tempfile.gettempdir())
    except OSError:
        return False


def _most_bytes() -> int:
    try:
        return int(float(os.environ.get(GIGABYTES_VARIABLE, _GIGABYTES)) * _GIGABYTE)
    except (OverflowError, ValueError):
        return int(_GIGABYTES * _GIGABYTE)
