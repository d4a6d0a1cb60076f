"""The ways to a model: it is sent, lies in this machine's cache or in a folder, or has a name on the hub."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pretrained.huggingface.folders import model_names
from pretrained.huggingface.hub import PLACE as HUB_PLACE
from pretrained.huggingface.hub_cache import cache_folder, cached_models
from viz.base.languages import worded
from viz.base.link_parameters import Text, labelled
from viz.base.words import page_text
from viz.pages.your_model.allowed import Allowed
from viz.pages.your_model.from_hub import fetch_by_name
from viz.pages.your_model.state import ModelPlace
from viz.pages.your_model.uploading import upload, uploaded_models
from viz.shell.controls import choose, warn_bad_links
from viz.shell.state import hold, set_link

TEXT = page_text("pages/your_model/sources")
_FOLDER = Text("own-folder", "", 1_000)
_MOST_SUGGESTED = 300
_THIS = "."
_MEGABYTE = 10**6

Models = dict[str, ModelPlace]


def choose_way(may: Allowed, warnings: DeltaGenerator, controls: DeltaGenerator, *, into: str) -> tuple[str, Models]:
    """Draw the ways that ``may`` opens in ``controls``, and what the chosen one needs; return it, and its models.

    The widget ``into``, drawn later, then has a model that was just sent or fetched.
    """
    # Where the owner names a folder, links lead into it.
    default = "folder" if may.folder else may.ways[0]
    field = labelled("from", worded(may.ways, lambda way: TEXT[f"way {way}"]), default)
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


def all_models(may: Allowed) -> Models:
    """Return every model that is known without a folder's being typed."""
    return {label: place for way in may.ways for label, place in _models(may, way).items()}


def model_label(way: str, place: ModelPlace) -> str:
    """Return how a list names the model at ``place``: one of the cache with its size."""
    if way != "machine":
        return place.label
    sizes = {model.name: model.n_bytes for model in cached_models(cache_folder())}
    return TEXT["with size"].format(name=place.label, size=f"{sizes.get(place.label, 0) / _MEGABYTE:,.1f}")


def _models(may: Allowed, way: str) -> Models:
    if way == "upload":
        return uploaded_models()
    if way == "machine":
        return {
            model.name: ModelPlace(model.name, str(model.root), model.place)
            for model in cached_models(cache_folder())
            # Without safetensors there is nothing to read.
            if model.n_bytes
        }
    below = _models_below(may.folder)
    return {name: place for name, place in below.items() if way != "hub" or name.startswith(f"{HUB_PLACE}/")}


def _models_below(folder: Path | None) -> Models:
    """Return the models in ``folder`` and below it; the folder itself has its own name."""
    names = model_names(folder) if folder else ()
    labels = {name: name if name != _THIS or folder is None else folder.resolve().name for name in names}
    return {label: ModelPlace(label, str(folder), name) for name, label in labels.items()}


def _typed_folder(may: Allowed) -> Path | None:
    """Draw the box for a path, with the folders below it to choose from, and return the folder; None before that."""
    hold(_FOLDER)
    typed = st.session_state[_FOLDER.key]
    if not typed:
        # An empty path is no option of the list.
        st.session_state[_FOLDER.key] = None
    begin = Path(typed).expanduser() if typed else may.folder or Path.home()
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
    folder = Path(path).expanduser() if path else may.folder
    return folder if folder and folder.is_dir() else None


def _suggested(begin: Path) -> Iterator[str]:
    """Yield the folder above ``begin`` and the folders in it; of a path that is not there, those it begins to name."""
    try:
        exists = begin.is_dir()
        above, start = (begin, "") if exists else (begin.parent, begin.name)
        if exists and begin.parent != begin:
            yield str(begin.parent)
        folders = sorted(path for path in above.iterdir() if path.name.startswith(start) and path.is_dir())
        yield from (str(path) for path in folders[:_MOST_SUGGESTED] if start or not path.name.startswith("."))
    except OSError:
        return
