"""Your model: the explorer for a file of attention, or for a model in a folder of this server."""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pretrained.huggingface.apart import Request, record_apart
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import model_names
from viz.base.attention_files import MOST_NUMBERS, kinds_of_file
from viz.base.attention_maps import exact_rows
from viz.base.given_maps import TEXT as MAP_PROBLEMS
from viz.base.given_maps import kinds_of_blocks, why_not_shares
from viz.base.link_parameters import Text, labelled, link_of, parameters_of, read_link
from viz.base.markdown import plain
from viz.base.words import InputError, page_text
from viz.components.attention_explorer import PARAMETERS, ExplorerView, attention_explorer, committed_view
from viz.pages.your_model.state import FOLDER_VARIABLE, Allowed, Kinds, Recorded, allowed, example
from viz.shell.controls import choose, place_for_warnings, select, text_input, warn_bad_links
from viz.shell.heavy import COMPUTING, QueueFullError, full_text, turn
from viz.shell.link import write_link
from viz.shell.page import theme
from viz.shell.state import keep_in_session, kept, page_link

TEXT = page_text("pages/your_model/your_model")
_MODEL_PROBLEMS = page_text("base/given_models")
_KEY = "own-explorer"
_MOST_MEGABYTES = 32
_MOST_CHARACTERS, _MOST_TOKENS, _MOST_SECONDS = 1_000, 256, 120.0
_SOURCES = labelled("open", {name: TEXT[f"open {name}"] for name in ("example", "file", "folder")})
_TEXT = Text("own-text", TEXT["example text"], _MOST_CHARACTERS)
_TARGET = Text("own-target", "", _MOST_CHARACTERS)
# In the example, a pronoun looks at what it stands for in this head: layer 4, head 2.
_OPENING_HEAD, _PRONOUN = (3, 1), "it"


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_SOURCES])
    source = choose(_SOURCES, TEXT["open"])
    brought: tuple[str, Kinds] | None = None
    if source == "file":
        brought = _from_file(warnings)
    elif source == "folder":
        brought = _from_folder(warnings)
    name, kinds = brought or _the_example(warnings)
    _show_recording(name, kinds, is_example=brought is None)
    _explain()


def _the_example(warnings: DeltaGenerator) -> tuple[str, Kinds]:
    """Return the shipped recording; without it the page ends here, with a sentence."""
    try:
        return TEXT["example name"], example()
    except (InputError, OSError):
        warnings.warning(TEXT["no example"])
        st.stop()


def _from_file(warnings: DeltaGenerator) -> tuple[str, Kinds] | None:
    """Draw the box for a file, and return what is in it; None where there is none, or none that can be shown."""
    file = st.file_uploader(
        TEXT["file"].format(megabytes=_MOST_MEGABYTES),
        ["npz", "safetensors"],
        key="own-file",
        max_upload_size=_MOST_MEGABYTES,
    )
    if file is None:
        st.caption(TEXT["until then"])
        return None
    try:
        kinds = kinds_of_file(file.name.lower(), file.getvalue())
    except InputError as error:
        warnings.warning(error.sentence(MAP_PROBLEMS))
        return None
    for sentence in filter(None, map(why_not_shares, kinds)):
        warnings.warning(sentence)
    return file.name, kinds


def _from_folder(warnings: DeltaGenerator) -> tuple[str, Kinds] | None:
    """Draw the choice of a model and the box for a text, and return what was read last; None before that."""
    may = allowed()
    names = model_names(may.folder) if may else ()
    if not may or not names:
        key = "no models" if may else "no folder"
        st.info(TEXT[key].format(variable=FOLDER_VARIABLE))
        return None
    field = labelled("model", dict(zip(names, names, strict=True)))
    warn_bad_links(warnings, [field, _TEXT, _TARGET])
    with st.container(horizontal=True, vertical_alignment="bottom", key="own-controls"):
        name = select(field, TEXT["model"], width=260)
        text = text_input(_TEXT, TEXT["text"])
        target = text_input(_TARGET, TEXT["target"], placeholder=TEXT["target placeholder"], width=260)
        is_asked = st.button(TEXT["read"], type="primary")
    if is_asked:
        _read(Recorded(name, text, target, ()), may, warnings)
    last = kept(Recorded)
    if last is None:
        st.caption(TEXT["until then"])
        return None
    if (last.name, last.text, last.target) != (name, text, target):
        st.caption(TEXT["read before"])
    return last.name, last.kinds


def _read(asked: Recorded, may: Allowed, warnings: DeltaGenerator) -> None:
    """Have the session hold what ``asked`` is about; where that cannot be read, say why."""
    place = st.empty()
    request = Request(
        root=str(may.folder),
        name=asked.name,
        text=asked.text,
        target=asked.target or None,
        most_bytes=may.most_bytes,
        most_tokens=_MOST_TOKENS,
        most_numbers=MOST_NUMBERS,
    )
    try:
        with turn(COMPUTING):
            blocks = record_apart(
                request,
                most_seconds=_MOST_SECONDS,
                # Where the visitor leaves, this call ends the run, and with it the process.
                tick=lambda seconds: place.caption(TEXT["reading"].format(seconds=f"{seconds:.0f}")),
            )
        keep_in_session(replace(asked, kinds=kinds_of_blocks(blocks)))
    except QueueFullError as error:
        warnings.warning(full_text(error))
    except InputError as error:
        warnings.warning(error.sentence(MAP_PROBLEMS))
    except ForeignModelError as error:
        values = {name: plain(value) if isinstance(value, str) else value for name, value in error.values.items()}
        warnings.warning(_MODEL_PROBLEMS[f"problem {error.key}"].format(**values))
    finally:
        place.empty()


@st.fragment
def _show_recording(name: str, kinds: Kinds, *, is_example: bool) -> None:
    """Draw the explorer with what is to be seen in it; a choice in it draws nothing else again."""
    warnings = place_for_warnings()
    if committed_view(_KEY) is None:
        warn_bad_links(warnings, parameters_of(ExplorerView).values())
    st.markdown(_example_words(kinds) if is_example else TEXT["see"].format(name=plain(name)))
    view = _view(kinds, is_example)
    text = dict(page_text("components/attention_explorer"))
    if len(kinds) == 1 and kinds[0].name != "cross":
        text[f"kind {kinds[0].name}"] = TEXT["kind alone"]
    view = attention_explorer(
        kinds,
        view=view,
        exact=exact_rows(kinds, view.wanted_rows(kinds)),
        text=text,
        theme=theme(),
        key=_KEY,
    ).fitted(kinds)
    is_opening = view == _opening(kinds, is_example)
    write_link(dict.fromkeys(PARAMETERS) if is_opening else {**link_of(view), "kind": view.kind})


def _view(kinds: Kinds, is_example: bool) -> ExplorerView:
    """Return what is chosen in the explorer, else by the link, else what a recording opens on."""
    chosen, link = committed_view(_KEY), page_link()
    if chosen is None and any(name in link for name in PARAMETERS):
        chosen = read_link(ExplorerView, link)[0]
    return (chosen or _opening(kinds, is_example)).fitted(kinds)


def _opening(kinds: Kinds, is_example: bool) -> ExplorerView:
    kind = kinds[-1]
    if is_example:
        pins = ((kind.queries.labels.index(_PRONOUN), None),)
        return ExplorerView(kind=kind.name, heads=(_OPENING_HEAD,), pins=pins).fitted(kinds)
    n_layers, n_heads = kind.weights.shape[:2]
    return ExplorerView(kind=kind.name, heads=tuple((n_layers - 1, head) for head in range(n_heads))).fitted(kinds)


def _example_words(kinds: Kinds) -> str:
    (kind,) = kinds
    layer, head = _OPENING_HEAD
    weights = kind.weights[layer, head, kind.queries.labels.index(_PRONOUN)]
    key = int(weights.argmax())
    return TEXT["see example"].format(
        layer=layer + 1, head=head + 1, query=_PRONOUN, key=plain(kind.keys.labels[key]), weight=f"{weights[key]:.2f}"
    )


def _explain() -> None:
    file, model = st.columns(2, gap="large")
    with file:
        st.markdown(TEXT["a file"])
        st.markdown(TEXT["a notebook"])
    with model:
        st.markdown(TEXT["a folder"].format(variable=FOLDER_VARIABLE))
        st.markdown(TEXT["what to try"])
    st.caption(
        TEXT["limits"].format(
            megabytes=_MOST_MEGABYTES,
            numbers=f"{MOST_NUMBERS:,}",
            characters=f"{_MOST_CHARACTERS:,}",
            tokens=_MOST_TOKENS,
            seconds=f"{_MOST_SECONDS:g}",
        )
    )


if __name__ == "__main__":
    show()
