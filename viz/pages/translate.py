"""Translate: type a sentence, see its translation and every head that had a part in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeVar

import streamlit as st

from model.checkpoint import DamagedWeightsError
from model.tokenizer import EOS_ID
from model.translator import MAX_SOURCE_TOKENS
from viz.attention import (
    GRAINS,
    KINDS,
    AttentionMaps,
    Kind,
    as_csv,
    as_npz,
    attention_maps,
    count_layers_and_heads,
    line_tokens,
    translation_as_csv,
)
from viz.components.token_line import token_line
from viz.figures.heatmap import heatmap, narrowest
from viz.figures.mosaic import mosaic
from viz.pages.shared import begin_page, plot_config, theme
from viz.pages.translation_state import (
    EXAMPLES,
    MAX_CHARACTERS,
    MODEL,
    SEARCHES,
    Head,
    Search,
    Shown,
    Translated,
    neighbour,
    shown,
    translator,
)
from viz.text import page_text

TEXT = page_text("translate")
Option = TypeVar("Option")


@dataclass(frozen=True)
class View:
    """What the pictures show: the maps of one kind, and which layer and head of them is open."""

    maps: AttentionMaps
    kind: Kind
    layer: int
    head: Head

    @property
    def one_head(self) -> int | None:
        """The open head, or None for the mean of the layer."""
        return None if self.head == "mean" else self.head

    @property
    def which(self) -> str:
        """What is open, in words."""
        if self.one_head is None:
            return TEXT["which mean"].format(layer=self.layer + 1, heads=self.maps.n_heads)
        return TEXT["which head"].format(layer=self.layer + 1, head=self.one_head + 1)

    @property
    def file_name(self) -> str:
        """What is open, as the name of a file without its ending."""
        head = "mean" if self.one_head is None else f"head-{self.one_head + 1}"
        return f"{self.kind}-layer-{self.layer + 1}-{head}"


def show() -> None:
    """Draw the page."""
    begin_page(TEXT["question"])
    linked = len(st.query_params.get("text", ""))
    text, search = _ask()
    message = st.empty()
    found = _translate(text, search)
    if found.trouble:
        below = TEXT["example shown"] if found.is_example else TEXT["last shown"]
        message.warning(f"{found.trouble} {below}")
    elif linked > MAX_CHARACTERS:
        message.warning(TEXT["link cut"].format(given=f"{linked:,}", most=f"{MAX_CHARACTERS:,}"))
    view = _choose_view(found.result)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        _show_translation(found.result)
        with st.container(horizontal=True, key="views"):
            with st.container(key="matrix-view", width="content"):
                _show_matrix(view)
            with st.container(key="overview"):
                _show_mosaic(view)
                _offer_downloads(found.result, view)
    with words:
        for part in ("what is seen", "what to try", "formula", "paper"):
            st.markdown(TEXT[part])
        st.caption(TEXT["limits"].format(tokens=MAX_SOURCE_TOKENS, characters=f"{MAX_CHARACTERS:,}"))


def _ask() -> tuple[str, Search]:
    with st.container(horizontal=True, vertical_alignment="bottom", key="ask"):
        text = st.text_input(
            TEXT["sentence"],
            EXAMPLES[0],
            max_chars=MAX_CHARACTERS,
            key="text",
            bind="query-params",
            placeholder=TEXT["sentence placeholder"],
        )
        search = st.segmented_control(
            TEXT["search"],
            SEARCHES,
            default=SEARCHES[0],
            required=True,
            format_func=lambda choice: TEXT[f"search {choice}"],
            key="search",
            bind="query-params",
            help=TEXT["search help"],
        )
    with st.container(horizontal=True, key="example"):
        for number, example in enumerate(EXAMPLES):
            st.button(example, key=f"example-{number}", on_click=_take_example, args=(example,))
    return text or "", search or SEARCHES[0]


def _take_example(example: str) -> None:
    st.session_state["text"] = example


def _translate(text: str, search: Search) -> Shown:
    """Return what to show; without a usable model the page ends here, with a sentence that says so."""
    try:
        with st.spinner(TEXT["loading"]):
            translator(MODEL)
    except (DamagedWeightsError, OSError, ValueError) as error:
        st.warning(TEXT["no model"].format(reason=error))
        st.stop()
    return shown(text, search)


def _choose_view(result: Translated) -> View:
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        kind = _choose("kind", KINDS, {kind: TEXT[f"kind {kind}"] for kind in KINDS})
        n_layers, n_heads = size = count_layers_and_heads(result.translation, kind)
        heads: tuple[Head, ...] = ("mean", *range(n_heads))
        head_labels: dict[Head, str] = {head: str(head + 1) for head in range(n_heads)}
        head_labels["mean"] = TEXT["head mean"]
        layer = _choose("layer", range(n_layers), {index: str(index + 1) for index in range(n_layers)}, n_layers - 1)
        head = _choose("head", heads, head_labels)
        _button("previous", ":material/chevron_left:", -1, size)
        _button("next", ":material/chevron_right:", 1, size)
        grain = _choose("by", GRAINS, {grain: TEXT[f"by {grain}"] for grain in GRAINS})
    return View(attention_maps(result.translation, kind, grain), kind, layer, head)


def _offer_by_hand(view: View) -> None:
    head = view.one_head or 0
    query = {
        "text": st.session_state["text"] or EXAMPLES[0],
        "search": st.session_state["search"] or SEARCHES[0],
        "kind": view.kind,
        "layer": str(view.layer + 1),
        "head": str(head + 1),
    }
    label = TEXT["by hand"].format(layer=view.layer + 1, head=head + 1)
    st.page_link("viz/pages/dot_product.py", label=label, query_params=query)


def _choose(name: str, options: Sequence[Option], labels: Mapping[Option, str], default: int = 0) -> Option:
    """Return the choice among ``options``, kept in the URL; what the URL cannot mean becomes the default one."""
    choice = st.segmented_control(
        TEXT[name],
        options,
        default=options[default],
        required=True,
        format_func=lambda option: labels[option],
        key=name,
        bind="query-params",
        wrap=True,
    )
    return options[default] if choice is None else choice


def _button(name: str, icon: str, step: int, size: tuple[int, int]) -> None:
    shortcut = {"previous": "Alt+Left", "next": "Alt+Right"}[name]
    st.button(TEXT[name], icon=icon, key=name, on_click=_step, args=(step, *size), shortcut=shortcut)


def _step(step: int, n_layers: int, n_heads: int) -> None:
    state = st.session_state
    state["layer"], state["head"] = neighbour(state["layer"], state["head"], step, n_layers, n_heads)


def _show_translation(result: Translated) -> None:
    translation = result.translation
    st.html(
        token_line(line_tokens(translation), theme=theme(), name=TEXT["translation"], token_name=TEXT["token"])
        + _other_hypotheses(result)
    )
    if translation.tokens[-1].id != EOS_ID:
        st.caption(TEXT["cut off"])


def _other_hypotheses(result: Translated) -> str:
    rows = "".join(f"<tr><td>{score:.3f}</td><td>{escape(text)}</td></tr>" for score, text in result.hypotheses)
    if len(result.hypotheses) < 2:
        return ""
    return f'<details class="hypotheses"><summary>{escape(TEXT["beam"])}</summary><table>{rows}</table></details>'


def _show_matrix(view: View) -> None:
    maps = view.maps
    least = narrowest(len(maps.keys), maps.queries)
    # On the outermost frame, because Streamlit measures it to size the chart.
    frame = ".st-key-matrix [data-testid='stElementContainer'], .st-key-matrix [data-testid='stFullScreenFrame']"
    st.html(f"<style>{frame} {{ min-width: {least}px }}</style>")
    st.markdown(TEXT[f"caption {view.kind}"].format(which=view.which))
    query, key, weight = maps.strongest(view.layer, view.one_head)
    alt = TEXT["alt matrix"].format(
        kind=TEXT[f"kind {view.kind}"],
        which=view.which,
        rows=len(maps.queries),
        columns=len(maps.keys),
        query=query,
        key=key,
        weight=f"{weight:.2f}",
    )
    figure = heatmap(
        maps.matrix(view.layer, view.one_head), maps.queries, maps.keys, theme=theme(), hover=TEXT["hover"]
    )
    with st.container(key="matrix"):
        st.plotly_chart(figure, theme=None, width="content", config=plot_config(view.file_name), alt=alt)


def _show_mosaic(view: View) -> None:
    maps = view.maps
    st.markdown(TEXT["mosaic"])
    figure = mosaic(
        maps.weights,
        theme=theme(),
        opened=(view.layer, view.one_head),
        tile_name=TEXT["tile"],
        layer_name=TEXT["layer"],
        head_name=TEXT["head"],
    )
    alt = TEXT["alt mosaic"].format(
        kind=TEXT[f"kind {view.kind}"], layers=maps.n_layers, heads=maps.n_heads, which=view.which
    )
    st.plotly_chart(
        figure,
        theme=None,
        # Each kind has a chart of its own, which begins without a selection.
        key=f"mosaic-{view.kind}",
        on_select=lambda: _open_tile(view.kind, maps.n_heads),
        selection_mode="points",
        config=plot_config(f"{view.kind}-all-heads"),
        alt=alt,
    )


def _open_tile(kind: Kind, n_heads: int) -> None:
    state = st.session_state
    points = state[f"mosaic-{kind}"]["selection"]["points"]
    if points:
        state["clicked tile"] = (kind, divmod(points[0]["point_index"], n_heads))
    # Plotly takes a second click on the same tile back, and then reports no point: that tile is meant all the same.
    clicked_kind, tile = state.get("clicked tile", (None, None))
    if clicked_kind == kind:
        state["layer"], state["head"] = tile


def _offer_downloads(result: Translated, view: View) -> None:
    maps = view.maps
    with st.container(horizontal=True):
        _offer_by_hand(view)
        st.download_button(
            TEXT["download matrix"],
            lambda: as_csv(maps.matrix(view.layer, view.one_head), maps.queries, maps.keys),
            file_name=f"{view.file_name}.csv",
            mime="text/csv",
            on_click="ignore",
            type="tertiary",
        )
        st.download_button(
            TEXT["download translation"],
            lambda: translation_as_csv(result.translation, result.hypotheses),
            file_name="translation.csv",
            mime="text/csv",
            on_click="ignore",
            type="tertiary",
        )
        st.download_button(
            TEXT["download maps"],
            lambda: as_npz(result.translation),
            file_name="attention.npz",
            mime="application/octet-stream",
            on_click="ignore",
            type="tertiary",
        )


show()
