"""Files that somebody sends as a model, or one ZIP archive of them: only what a model needs is written, or nothing."""

import os
import re
import shutil
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import CONFIGURATION, NEEDED, PICKLED, checked_folder, other_format, refuse_size
from pretrained.huggingface.weights import SAFE

MAX_FILES = 200
"""In an upload."""
_PLAIN = re.compile(r"[\w./ ()@+,=\[\]-]*")
_CODE = {".py", ".pyc", ".so", ".dll", ".exe", ".sh", ".js", ".ipynb"}
_LARGEST_TEXT = 100 * 10**6
# Weights of random numbers do not shrink, and those of zeros are no model.
_MOST_SHRINKAGE, _SMALL = 100, 10**6
_CHUNK = 1 << 20
# Python unpacks as much of these as is asked for at a time, and of others all that a block holds: without a limit.
_METHODS = (ZIP_STORED, ZIP_DEFLATED)
_RECORD, _LARGE_RECORD, _LONGEST_END = 22, 76, 1 << 17
_LONGEST_DIRECTORY = MAX_FILES << 10
# What a record has in place of a size that stands in the larger one.
_ELSEWHERE = b"\xff" * 4


@dataclass(frozen=True)
class SentFile:
    """A file as it was sent: its name, its size in bytes, and its content."""

    name: str
    size: int
    content: BinaryIO


def unpack(files: Sequence[SentFile], folder: Path, most_bytes: int) -> None:
    """Write the model in ``files`` into the new folder ``folder``, once it is known that it may be loaded.

    Args:
        files: the files of a model, or one ZIP archive of them, within a folder or not.
        folder: is made; its parent is there.
        most_bytes: that all that is written may have.

    Raises:
        ForeignModelError: what an archive may not hold, or what :func:`checked_folder` raises. Nothing is left then.
    """
    with TemporaryDirectory(dir=folder.parent, prefix=".") as staging:
        place = Path(staging, "model")
        place.mkdir()
        if len(files) == 1 and files[0].name.lower().endswith(".zip"):
            _write_archive(files[0].content, place, most_bytes)
        else:
            sizes = {file.name: file.size for file in files}
            _refuse_names([file.name for file in files])
            _refuse_sizes(sizes, folder, most_bytes)
            for file in files:
                if NEEDED.fullmatch(file.name):
                    _write(file.content, place / file.name, file.size)
        checked_folder(place, ".", most_bytes)
        place.rename(folder)


def is_whole(names: Sequence[str]) -> bool:
    """Return whether files of these ``names`` may be a model: an archive, or configuration, weights and tokenizer."""
    # What is sent in another form is refused as such, and never whole.
    return (
        any(name.lower().endswith(".zip") for name in names)
        or bool(other_format(names))
        or (CONFIGURATION in names and any(name.endswith(SAFE) for name in names) and len(names) > 2)
    )


def _write_archive(content: BinaryIO, place: Path, most_bytes: int) -> None:
    _refuse_long_directory(content)
    try:
        with ZipFile(content) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _refuse_names([entry.orig_filename for entry in entries])
            if any(stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG) for entry in entries):
                raise ForeignModelError("link in upload")
            needed = _of_the_model(entries)
            _refuse_sizes({name: entry.file_size for name, entry in needed.items()}, place, most_bytes)
            if any(entry.file_size > max(_SMALL, _MOST_SHRINKAGE * entry.compress_size) for entry in needed.values()):
                raise ForeignModelError("zip bomb")
            if any(entry.compress_type not in _METHODS for entry in needed.values()):
                raise ForeignModelError("damaged archive")
            for name, entry in needed.items():
                with archive.open(entry) as source:
                    _write(source, place / name, entry.file_size)
    except (BadZipFile, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError, ZlibError) as error:
        raise ForeignModelError("damaged archive") from error
    except OSError as error:
        raise ForeignModelError("no room" if error.errno == ENOSPC else "damaged archive") from error


def _of_the_model(entries: Sequence[ZipInfo]) -> Mapping[str, ZipInfo]:
    """Return the files beside the configuration that lies highest, by their names."""
    paths = {PurePosixPath(entry.filename): entry for entry in entries}
    folders = [path.parent for path in paths if path.name == CONFIGURATION]
    if not folders:
        raise ForeignModelError("no configuration")
    folder = min(folders, key=lambda path: (len(path.parts), path))
    return {path.name: entry for path, entry in paths.items() if path.parent == folder and NEEDED.fullmatch(path.name)}


def _refuse_long_directory(content: BinaryIO) -> None:
    """Raise where the list of an archive's files is long; Python would read all of it into memory at once.

    It is found as Python's zipfile finds it: by the record at the end, or a larger one before that.
    """
    size = content.seek(0, os.SEEK_END)
    content.seek(max(0, size - _LONGEST_END))
    end = content.read()
    at = len(end) - _RECORD if end[-_RECORD:].startswith(b"PK\5\6") else end.rfind(b"PK\5\6")
    if at < 0:
        raise ForeignModelError("damaged archive")
    record, large = end[at:], end[max(at - _LARGE_RECORD, 0) : at]
    is_large = large[-20:].startswith(b"PK\6\7")
    sizes = [record[12:16], *([large[40:48]] if is_large else [])]
    # An archive may have both, and Python's own choice between them is not known here.
    n_bytes = (int.from_bytes(size, "little") for size in sizes if not is_large or size != _ELSEWHERE)
    if max(n_bytes, default=0) > _LONGEST_DIRECTORY:
        raise ForeignModelError("too many files", most=MAX_FILES)


def _refuse_names(names: Sequence[str]) -> None:
    if len(names) > MAX_FILES:
        raise ForeignModelError("too many files", most=MAX_FILES)
    if len({name.lower() for name in names}) < len(names):
        raise ForeignModelError("same names")
    for name in names:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or re.match("[a-zA-Z]:", name) or "\\" in name:
            raise ForeignModelError("name leads out")
        if not _PLAIN.fullmatch(name) or len(name) > 250:
            raise ForeignModelError("odd name")
        if path.suffix.lower() in _CODE:
            raise ForeignModelError("code in upload", file=name)
        if path.suffix.lower() in PICKLED:
            raise ForeignModelError("pickled")


def _refuse_sizes(sizes: Mapping[str, int], folder: Path, most_bytes: int) -> None:
    if CONFIGURATION not in sizes:
        raise ForeignModelError(other_format(sizes) or "no configuration")
    refuse_size(sum(sizes.values()), most_bytes)
    for name, size in sizes.items():
        if not name.endswith(SAFE) and size > _LARGEST_TEXT:
            raise ForeignModelError("large text", file=name)
    if sum(sizes.values()) > shutil.disk_usage(folder.parent).free:
        raise ForeignModelError("no room")


def _write(source: IO[bytes], file: Path, size: int) -> None:
    """Write ``source`` into ``file``; raises where it holds more than ``size`` bytes, which it said."""
    with file.open("xb") as out:
        while part := source.read(_CHUNK):
            size -= len(part)
            if size < 0:
                raise ForeignModelError("zip bomb")
            out.write(part)
