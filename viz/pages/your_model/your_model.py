"""Your model: the explorer for a file of attention, or for a model that the visitor brings."""

from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pretrained.huggingface.recorded import Head
from viz.base.attention_files import MOST_NUMBERS, kinds_as_npz, kinds_of_file
from viz.base.attention_maps import exact_rows
from viz.base.given_maps import TEXT as MAP_PROBLEMS
from viz.base.given_maps import why_not_shares
from viz.base.languages import worded
from viz.base.link_parameters import labelled, parameters_of
from viz.base.markdown import plain
from viz.base.words import InputError, page_text, paragraph
from viz.components.attention_explorer import PARAMETERS, ExplorerView, attention_explorer, committed_view
from viz.components.attention_explorer.page_file import page_file
from viz.pages.your_model.allowed import allowed
from viz.pages.your_model.asking import MOST_SECONDS
from viz.pages.your_model.examples import example
from viz.pages.your_model.layer_links import OWN_HEADS, link_to, view_of
from viz.pages.your_model.own_model import MOST_CHARACTERS, MOST_TOKENS, NEW_BESIDE, from_example, from_model
from viz.pages.your_model.sources import WAY
from viz.pages.your_model.state import EXAMPLE_MODEL, ExplorerContent, Kinds, block_name, heads_of, named_as_here
from viz.shell.controls import choose, place_for_warnings, warn_bad_links
from viz.shell.link import write_link
from viz.shell.page import theme
from viz.shell.picture import File, offered
from viz.shell.state import page_link

TEXT = page_text("pages/your_model/your_model")
_KEY = "own-explorer"
_MOST_MEGABYTES = 32
# Up to so many weights every map is sent; of more, reduced maps are, and whole those that are looked at.
_MOST_WHOLE = 4_000_000
_SOURCES = labelled("open", worded(("example", "file", "folder"), lambda name: TEXT[f"open {name}"]))
# In the example, a pronoun looks at what it stands for, as it is written, in this head of cross-attention: 3.5.
_OPENING_HEAD, _PRONOUN = (2, 4), "es"


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_SOURCES])
    with st.container(key="your-model"):
        controls = st.container(horizontal=True, vertical_alignment="bottom", key="own-ways")
        with controls:
            source = choose(_SOURCES, TEXT["open"])
        recorded = _example(warnings)
        if source == "example":
            _offer_ways()
            brought = from_example(warnings, recorded, partial(_chosen_heads, is_example=True))
        elif source == "file":
            brought = _from_file(warnings)
        else:
            brought = from_model(warnings, controls, partial(_chosen_heads, is_example=False))
        shown, is_example = (
            brought or ExplorerContent(_example_words(recorded, can_change=source == "example"), recorded),
            brought is None or source == "example",
        )
        if is_example:
            shown = replace(shown, kinds=named_as_here(shown.kinds), other=named_as_here(shown.other))
        _show_recording(shown, is_example=is_example)
    _explain()


def _offer_ways() -> None:
    """Draw a line with the ways in which a visitor's own model is opened."""
    ways = allowed().ways
    here = next((way for way in ways if way != "upload"), None)
    with st.container(horizontal=True, vertical_alignment="center", key="own-begin"):
        st.markdown(TEXT["begin"], width="content")
        for name, way in (("upload", "upload" if "upload" in ways else None), ("here", here)):
            if way is not None:
                st.button(TEXT[f"begin {name}"], key=f"begin-{name}", on_click=_begin, args=(way,))
        st.markdown(TEXT["begin notebook"], width="content")


def _begin(way: str) -> None:
    st.session_state.update({_SOURCES.key: "folder", WAY: way})


def _example(warnings: DeltaGenerator) -> Kinds:
    """Return the shipped recording; without it the page ends here, with a sentence."""
    try:
        return example()
    except (InputError, OSError):
        warnings.warning(TEXT["no example"])
        st.stop()


def _from_file(warnings: DeltaGenerator) -> ExplorerContent | None:
    """Draw the box for a file, and return its content; None without a file, or with an invalid one."""
    st.markdown(TEXT["file holds"])
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
    return ExplorerContent(TEXT["see"].format(name=plain(file.name)), kinds)


@st.fragment
def _show_recording(shown: ExplorerContent, *, is_example: bool) -> None:
    """Draw the explorer with what is to be seen in it; a choice in it draws nothing else again."""
    warnings = place_for_warnings()
    if committed_view(_KEY) is None:
        warn_bad_links(warnings, [*parameters_of(ExplorerView).values(), OWN_HEADS])
    st.markdown(shown.words)
    kinds = shown.kinds
    n_weights = sum(kind.weights.size for kind in (*kinds, *shown.other))
    is_new = st.session_state.pop(NEW_BESIDE, False) and bool(shown.other)
    view = _view(kinds, is_example).comparing(is_new=is_new, has_other=bool(shown.other))
    text = dict(page_text("components/attention_explorer"))
    if len(kinds) == 1 and kinds[0].name != "cross":
        text[f"kind {kinds[0].name}"] = TEXT["kind alone"]
    if shown.apart:
        text |= {"no difference": shown.apart}
    view = attention_explorer(
        kinds,
        view=view,
        exact=exact_rows(kinds, view.wanted_rows(kinds)),
        other=shown.other,
        names=shown.names,
        subtracts=not shown.apart,
        text=text,
        theme=theme(),
        key=_KEY,
        files=offered(_files(kinds, view), _KEY) if _MOST_WHOLE < n_weights <= MOST_NUMBERS else (),
        most_whole=_MOST_WHOLE,
    ).fitted(kinds)
    nothing = dict.fromkeys((*PARAMETERS, OWN_HEADS.key))
    write_link(nothing if view == _opening(kinds, is_example) else {**nothing, **link_to(view, kinds)})


def _files(kinds: Kinds, view: ExplorerView) -> list[File]:
    """Return what the menu offers of a large recording, which the browser has only a part of.

    Of a still larger one no such file is made: it could not be opened here again, and takes minutes to write.
    """
    of_explorer = page_text("components/attention_explorer")
    page = partial(page_file, kinds, view=view, text=of_explorer, theme=theme())
    return [
        File(of_explorer["save npz"], partial(kinds_as_npz, kinds), "attention-explorer.npz"),
        File(of_explorer["save html"], page, "attention.html"),
    ]


def _chosen_heads(kinds: Kinds, *, is_example: bool) -> list[Head]:
    """Return the heads of ``kinds`` that are chosen in the explorer, in every block that it shows."""
    view = _view(kinds, is_example)
    chosen = {
        Head(block_name(kinds, kind.name), kind.own_layers[layer], head)
        for kind in kinds
        if view.kind in (kind.name, "all")
        for layer, head in view.heads
        if layer < len(kind.own_layers)
    }
    return [one for one in heads_of(kinds) if one in chosen]


def _view(kinds: Kinds, is_example: bool) -> ExplorerView:
    """Return what is chosen in the explorer, else by the link, else what a recording opens on."""
    chosen, link = committed_view(_KEY), page_link()
    if chosen is None and any(name in link for name in (*PARAMETERS, OWN_HEADS.key)):
        chosen = view_of(link, kinds)
    return (chosen or _opening(kinds, is_example)).fitted(kinds)


def _opening(kinds: Kinds, is_example: bool) -> ExplorerView:
    kind = kinds[-1]
    if is_example:
        labels = kind.queries.labels
        pins = ((labels.index(_PRONOUN), None),) if _PRONOUN in labels else ()
        return ExplorerView(kind=kind.name, heads=(_OPENING_HEAD,), pins=pins).fitted(kinds)
    n_layers, n_heads = kind.weights.shape[:2]
    return ExplorerView(kind=kind.name, heads=tuple((n_layers - 1, head) for head in range(n_heads))).fitted(kinds)


def _example_words(kinds: Kinds, *, can_change: bool) -> str:
    kind = kinds[-1]
    layer, head = _OPENING_HEAD
    weights = kind.weights[layer, head, kind.queries.labels.index(_PRONOUN)]
    key = int(weights.argmax())
    seen = TEXT["see example"].format(
        name=EXAMPLE_MODEL.name,
        layer=layer + 1,
        head=head + 1,
        query=_PRONOUN,
        key=plain(kind.keys.labels[key]),
        weight=f"{weights[key]:.2f}",
    )
    return paragraph([seen, TEXT["example can be changed"]]) if can_change else seen


def _explain() -> None:
    file, model = st.columns(2, gap="large")
    with file:
        st.markdown(TEXT["a file"])
        st.html('<div id="own-notebook"></div>')
        st.markdown(TEXT["a notebook"])
    with model:
        st.markdown(TEXT["a model"])
        st.markdown(TEXT["what to try"])
    st.caption(
        TEXT["limits"].format(
            megabytes=_MOST_MEGABYTES,
            numbers=f"{MOST_NUMBERS:,}",
            characters=f"{MOST_CHARACTERS:,}",
            tokens=f"{MOST_TOKENS:,}",
            seconds=f"{MOST_SECONDS:g}",
            whole=f"{_MOST_WHOLE:,}",
        )
    )


if __name__ == "__main__":
    show()
