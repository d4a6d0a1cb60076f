"""Ways to a model: an upload, this machine's cache, a folder, or a name on the hub."""

import os
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import model_names, other_format
from pretrained.huggingface.hub import PLACE as HUB_PLACE
from pretrained.huggingface.hub_cache import cache_folder, cached_models
from pretrained.huggingface.weights import SAFE
from viz.base.languages import worded
from viz.base.link_parameters import Text, labelled
from viz.base.markdown import safe_as_code
from viz.base.words import page_text
from viz.pages.your_model.allowed import Permissions
from viz.pages.your_model.from_hub import fetch_by_name
from viz.pages.your_model.state import ModelPlace, Recordings, model_place
from viz.pages.your_model.uploading import upload, uploaded_models
from viz.shell.controls import choose, warn_bad_links
from viz.shell.state import hold, kept, linked_value, set_link

TEXT = page_text("pages/your_model/sources")
WAY = "from"
"""What a link, and the session, call the way that is chosen."""
_FOLDER = Text("own-folder", "", 1_000)
_MOST_SUGGESTED = 300
_THIS = "."
_MEGABYTE = 10**6

Models = dict[str, ModelPlace]


def choose_way(
    may: Permissions, warnings: DeltaGenerator, controls: DeltaGenerator, *, into: str
) -> tuple[str, Models]:
    """Draw the ways of ``may`` in ``controls`` with their inputs; return the chosen way and its models.

    The widget ``into``, drawn later, then has a model that was just sent or fetched.
    """
    # Where the owner names a folder, links lead into it.
    default = "folder" if may.folder else may.ways[0]
    field = labelled(WAY, worded(may.ways, lambda way: TEXT[f"way {way}"]), default)
    warn_bad_links(warnings, [field])
    with controls:
        way = choose(field, TEXT["way"])
    if way == "upload":
        with controls.popover(TEXT["another"]) if uploaded_models() else nullcontext():
            upload(may, warnings, into=into)
    elif way == "hub":
        fetch_by_name(may, warnings, into=into)
    elif way == "folder" and may.is_local:
        return way, _models_below(_typed_folder(may))
    return way, _models(may, way)


def all_models(may: Permissions) -> Models:
    """Return every model that is known without a folder's being typed."""
    return {label: place for way in may.ways for label, place in _models(may, way).items()}


def model_at_hand(may: Permissions, models: Models) -> str | None:
    """Return the one of ``models`` that this visitor last read, or else last sent; None without any."""
    last = kept(Recordings)
    names = [*([last.asked.model.label] if last else []), *(uploaded_models() if may.uploads else ())]
    return next((name for name in names if name in models), None)


def model_label(way: str, place: ModelPlace) -> str:
    """Return how a list names the model at ``place``: one of the cache with the size of its weights."""
    if way != "machine":
        return place.label
    n_bytes = sum(n_bytes for name, _, n_bytes in place.files if name.endswith(SAFE))
    return TEXT["with size"].format(name=place.label, size=f"{n_bytes / _MEGABYTE:,.1f}")


def _models(may: Permissions, way: str) -> Models:
    if way == "upload":
        return uploaded_models()
    if way == "machine":
        return {
            model.name: model_place(model.name, model.root, model.place)
            for model in cached_models(cache_folder())
            # Without safetensors there is nothing to read.
            if model.n_bytes
        }
    below = _models_below(may.folder)
    return {name: place for name, place in below.items() if way != "hub" or name.startswith(f"{HUB_PLACE}/")}


def _models_below(folder: Path | None) -> Models:
    """Return the models in ``folder`` and below it; the folder itself has its own name."""
    if folder is None:
        return {}
    labels = {name: name if name != _THIS else folder.resolve().name for name in model_names(folder)}
    return {label: model_place(label, folder, name) for name, label in labels.items()}


def _typed_folder(may: Permissions) -> Path | None:
    """Draw the box for a path, with its subfolders as choices, and return the folder; None before that."""
    hold(_FOLDER)
    # The link has what was chosen before. An empty path is no option of the list.
    typed = continued_path(linked_value(_FOLDER), st.session_state[_FOLDER.key] or "") or None
    st.session_state[_FOLDER.key] = typed
    begin = _path(typed) if typed else may.folder or Path.home()
    path = st.selectbox(
        TEXT["folder"],
        [*dict.fromkeys([*([typed] if typed else []), *_suggested(begin)])],
        index=None,
        key=_FOLDER.key,
        accept_new_options=True,
        placeholder=str(begin),
        help=TEXT["folder help"],
    )
    set_link(_FOLDER, path or "")
    folder = _path(path) if path else may.folder
    return folder if folder and _is_folder(folder) else None


def missing_folder() -> str | None:
    """Return the path that was typed, safe as code in Markdown, where it is no folder; else None."""
    typed = st.session_state.get(_FOLDER.key)
    return safe_as_code(typed) if typed and not _is_folder(_path(typed)) else None


def why_no_model() -> ForeignModelError | None:
    """Return the unsupported form of the model in the typed folder, if it is in one."""
    typed = st.session_state.get(_FOLDER.key)
    try:
        form = other_format(path.name for path in _path(typed).iterdir()) if typed else None
    except (OSError, ValueError):
        return None
    return ForeignModelError(form) if form else None


def continued_path(before: str, typed: str) -> str:
    """Return the path ``typed``; where the box sent new letters only, those after ``before``."""
    if not typed or not before or _is_folder(_path(typed)):
        return typed
    longer = (before + typed, f"{before}{os.sep}{typed}")
    return next((path for path in longer if any(_named_so(_path(path)))), typed)


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:
        # Nobody of that name has a home here.
        return Path(text)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _named_so(begin: Path) -> Iterator[Path]:
    """Return the folders whose names begin as that of ``begin``."""
    return (path for path in _folders_in(begin.parent) if path.name.startswith(begin.name))


def _suggested(begin: Path) -> Iterator[str]:
    """Yield the folder above ``begin`` and its subfolders; for an incomplete path, its completions."""
    if not _is_folder(begin):
        yield from map(str, sorted(_named_so(begin))[:_MOST_SUGGESTED])
        return
    if begin.parent != begin:
        yield str(begin.parent)
    inner = sorted(path for path in _folders_in(begin) if not path.name.startswith("."))
    yield from map(str, inner[:_MOST_SUGGESTED])


def _folders_in(folder: Path) -> Iterator[Path]:
    try:
        yield from (path for path in folder.iterdir() if _is_folder(path))
    except (OSError, ValueError):
        return
