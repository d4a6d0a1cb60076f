"""Uploaded models, each visitor's in a private folder that is removed when the visitor leaves."""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from getpass import getuser
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from threading import Thread
from weakref import finalize

import streamlit as st
from streamlit import config
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pretrained.huggingface.uploads import SentFile, is_whole, unpack
from viz.base.words import page_text
from viz.pages.your_model.allowed import Permissions
from viz.pages.your_model.asking import in_turn, loaded_models
from viz.pages.your_model.state import ModelPlace, model_place
from viz.shell.heavy import Lane

try:
    import fcntl
except ImportError:  # Windows, where a file that a process has open cannot be removed: it needs no lock.
    fcntl = None  # type: ignore[assignment]

TEXT = page_text("pages/your_model/uploading")
_UNPACKING = Lane("unpacking", at_once=1, most_waiting=10)
_MEGABYTE = 10**6
NEWLY_SENT = "own-newly-sent"
"""Whether a model was just sent, which then reads the text at once."""
_LOCK, _NAME = ".lock", "my-model"
_ENDINGS = ["zip", "json", "safetensors", "txt", "model", "spm"]


class UploadFolders:
    """Upload folders of this server's visitors; those of a killed server are removed."""

    def __init__(self, parent: Path) -> None:
        """Make the folder that all of this server lie in, below ``parent``."""
        parent.mkdir(mode=0o700, exist_ok=True)
        for left in parent.iterdir():
            _remove_unless_held(left)
        self.path = Path(mkdtemp(dir=parent))
        # Held until this process ends, however it does.
        self._lock = os.open(self.path / _LOCK, os.O_CREAT | os.O_RDWR)
        if fcntl:
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class Uploads:
    """One visitor's uploads, and their number."""

    def __init__(self, parent: Path) -> None:
        """Begin with an empty folder below ``parent``."""
        # A machine may empty its folder for temporary files while the server runs, or while a page stays open.
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.root = Path(mkdtemp(dir=parent))
        self.n_sent = 0

    def add(self, files: Sequence[SentFile], name: str, most_bytes: int) -> str:
        """Unpack ``files`` and return the model's name; what was sent first makes room.

        Raises:
            ForeignModelError: what :func:`unpack` raises.
        """
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = self.root / _free(name, self.names())
        unpack(files, folder, most_bytes)
        while sum(map(_n_bytes, kept := self._oldest_first())) > most_bytes:
            shutil.rmtree(kept[0])
        return folder.name

    def remove(self, name: str) -> None:
        """Remove the model of that name."""
        shutil.rmtree(self.root / name, ignore_errors=True)

    def names(self) -> tuple[str, ...]:
        """Return the names of the models, the first that was sent first."""
        return tuple(folder.name for folder in self._oldest_first())

    def n_bytes(self, name: str) -> int:
        """Return what the files of the model of that name take."""
        return _n_bytes(self.root / name)

    def close(self) -> None:
        """Remove everything, and stop the processes that have it loaded."""
        shutil.rmtree(self.root, ignore_errors=True)
        # A process may answer somebody else just now, for whom the server's own thread must not wait.
        Thread(target=loaded_models().end_of, args=[str(self.root)], daemon=True).start()

    def _oldest_first(self) -> list[Path]:
        if not self.root.is_dir():
            return []
        folders = [folder for folder in self.root.iterdir() if not folder.name.startswith(".")]
        return sorted(folders, key=lambda folder: folder.stat().st_ctime_ns)


@st.cache_resource(show_spinner=False)
def upload_folders() -> UploadFolders:
    """Return the folders of this server."""
    return UploadFolders(Path(gettempdir(), f"attention-uploads-{getuser()}"))


@st.cache_resource(show_spinner=False, scope="session", on_release=Uploads.close)
def uploads() -> Uploads:
    """Return what this visitor has sent; it goes as soon as the page is closed."""
    return Uploads(upload_folders().path)


def uploaded_models() -> dict[str, ModelPlace]:
    """Return the models that this visitor has sent, the last one first."""
    sent = uploads()
    return {name: model_place(name, sent.root, name) for name in reversed(sent.names())}


def upload(may: Permissions, warnings: DeltaGenerator, *, into: str) -> None:
    """Draw the box for files; the widget ``into``, drawn later, then has the model that they are."""
    sent = uploads()
    megabytes = max(1, may.most_bytes // _MEGABYTE)
    _accept(megabytes)
    files = st.file_uploader(
        TEXT["files"].format(gigabytes=f"{may.most_bytes / 10**9:g}"),
        _ENDINGS,
        accept_multiple_files=True,
        max_upload_size=megabytes,
        # After each model, and after what was refused, an empty one.
        key=f"own-upload-{sent.n_sent}",
    )
    place = st.empty()
    if not files:
        return
    if not is_whole([file.name for file in files]):
        place.caption(TEXT["not whole"])
        return
    sent.n_sent += 1
    with in_turn(_UNPACKING, place, warnings), _taken(files):
        place.caption(TEXT["unpacking"])
        sent_files = [SentFile(file.name, file.size, file) for file in files]
        st.session_state[into] = sent.add(sent_files, _name_of(files), may.most_bytes)
        st.session_state[NEWLY_SENT] = True
        st.rerun()


def say_uploaded(name: str) -> None:
    """Say whose the model of that name is, and draw what removes it."""
    sent = uploads()
    with st.container(horizontal=True, vertical_alignment="center", key="own-uploaded"):
        st.caption(TEXT["yours"].format(megabytes=f"{sent.n_bytes(name) / _MEGABYTE:,.1f}"), width="content")
        st.button(TEXT["remove"], on_click=sent.remove, args=[name], key="own-remove", type="tertiary")


def _accept(megabytes: int) -> None:
    """Have the server take files of that size; Streamlit's limit for one box holds in the browser only."""
    if config.get_option("server.maxUploadSize") < megabytes:
        config.set_option("server.maxUploadSize", megabytes)


@contextmanager
def _taken(files: Sequence[UploadedFile]) -> Iterator[None]:
    """Give the memory of ``files`` back after the block: what they hold is then on disk, or refused."""
    try:
        yield
    finally:
        context = get_script_run_ctx()
        for file in files:
            file.close()
            if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
                context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def _name_of(files: Sequence[UploadedFile]) -> str:
    """Return a name for the model in ``files``: that of its archive."""
    name = Path(files[0].name).stem if len(files) == 1 else ""
    return re.sub(r"[^\w-]+", "-", name, flags=re.ASCII)[:60].strip("-")


def _free(name: str, taken: Sequence[str]) -> str:
    """Return ``name``, or the first of ``name``-2, ``name``-3 … that is not ``taken``."""
    name = name or _NAME
    names = (name if number == 1 else f"{name}-{number}" for number in range(1, len(taken) + 2))
    return next(one for one in names if one not in taken)


def _n_bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def _remove_unless_held(folder: Path) -> None:
    """Remove the ``folder`` of a server that has ended."""
    with suppress(OSError):
        lock = os.open(folder / _LOCK, os.O_RDWR)
        try:
            if fcntl:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            os.close(lock)
        shutil.rmtree(folder)
