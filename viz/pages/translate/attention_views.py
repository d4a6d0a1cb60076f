"""All attention of a translation: the explorer, one cell from the inside, and the same in BertViz."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.decoding.translator import SourceTextError
from viz.base.attention_maps import BLOCKS, AttentionKind, BlockName, CellAddress, exact_rows
from viz.base.languages import worded
from viz.base.link_parameters import Text, labelled, link_of, query_of, read_link
from viz.base.words import page_text
from viz.components.attention_explorer import PARAMETERS, ExplorerView, attention_explorer, committed_view, read_of
from viz.pages.translate.components.bertviz_view import MAX_WEIGHTS, bertviz_html, bertviz_view
from viz.pages.translate.components.cell_view import cell_style, cell_view
from viz.pages.translate.state import aligned, measured
from viz.pages.translate.study.cell import AttentionCell, CellLabels
from viz.pages.translate.study.cell_steps import block_name, cell_as_csv, cell_of, record_blocks
from viz.pages.translate.study.measures import MEASURES, Kinds, TooManyTokensError
from viz.pages.translate.study.written_tokens import steps_of
from viz.shared.model_words import model_words
from viz.shared.sentence import MAX_CHARACTERS, carried_sentence
from viz.shared.shipped import translator, translator_info
from viz.shared.translation import Beginning, TranslationResult, why_untranslated
from viz.shared.unread import why_unread
from viz.shell.controls import choose, download, place_for_warnings, text_input, warn_bad_links, warn_of
from viz.shell.link import link_decides, write_link
from viz.shell.page import link_to, theme
from viz.shell.picture import File, offered
from viz.shell.state import keep_in_session, kept, open_on, page_link

TEXT = page_text("pages/translate/attention_views")
KEY = "explorer"
_OTHER = Text("other", "", MAX_CHARACTERS)
_BY_HEAD = ("weights", "passed on")

ViewName = Literal["explorer", "head", "model"]
Sides = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class _LastView:
    """The explorer's last state, kept while another page or BertViz takes its place.

    ``sides`` are the labels of rows and columns, by kind; ``other`` is the sentence to compare with, if any. What the
    page opened on, for one translator, is not kept for another.
    """

    view: ExplorerView
    is_opening: bool
    sides: Mapping[str, Sides]
    other: str


@st.fragment
def show_attention(result: TranslationResult, files: Sequence[File]) -> None:
    """Draw every view of the attention of ``result``, and offer ``files``; choices redraw only these."""
    views: tuple[ViewName, ...] = get_args(ViewName)
    view_of = labelled("view", worded(views, lambda name: TEXT[f"view {name}"]))
    measure_of = labelled("measure", worded(MEASURES, lambda name: TEXT[f"measure {name}"]))
    warn_bad_links(place_for_warnings(), [view_of, measure_of, _OTHER])
    picture = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        view = choose(view_of, TEXT["view"])
        if view == "explorer":
            measure = choose(measure_of, TEXT["measure"])
            other = text_input(
                _OTHER,
                TEXT["other"],
                placeholder=TEXT["other placeholder"].format(
                    language=model_words(translator_info(result.choice.model).source_language)
                ),
                width=330,
            )
        else:
            names = worded(BLOCKS, lambda name: TEXT[f"kind {name}"])
            block_of = labelled("kind-in-bertviz", names, "cross")
            open_on(block_of, _kind_in_explorer())
            block = choose(block_of, TEXT["kind"])
    # Before its controls: what is looked at first is in the first screen.
    with picture:
        if view == "explorer":
            explored = _show_explorer(result, measure, other, files)
        else:
            explored = None
            _show_bertviz(result, view, block, files)
    if explored:
        _show_below(result, *explored)


def _show_bertviz(
    result: TranslationResult, view: Literal["head", "model"], block: BlockName, files: Sequence[File]
) -> None:
    st.caption(TEXT["bertviz"])
    kinds = {kind.name: kind for kind in measured(result.text, result.choice, "weights", result.begin)}
    kind, text, seen_in, name = (
        kinds[block],
        page_text("pages/translate/bertviz_view"),
        theme(),
        f"bertviz-{view}-{block}",
    )
    bertviz_view(view, kind, text=text, theme=seen_in, key=name)
    page = File(TEXT["bertviz page"], lambda: bertviz_html(view, kind, text=text, theme=seen_in), f"{name}.html")
    with st.container(horizontal=True):
        for file in (*([page] if kind.weights.size <= MAX_WEIGHTS else []), *files):
            download(file.label, file.content, file.name)


def _kind_in_explorer() -> BlockName:
    """Return the kind that the explorer shows, which BertViz opens on; cross-attention where it shows all."""
    last, linked = kept(_LastView), page_link()
    kind = last.view.kind if last else read_link(ExplorerView, linked)[0].kind if "kind" in linked else "cross"
    return "cross" if kind == "all" else kind


def _show_explorer(
    result: TranslationResult, measure: str, other_text: str, files: Sequence[File]
) -> tuple[Kinds, ExplorerView, str]:
    """Draw the explorer; return what it shows, how, and by which measure."""
    warnings = place_for_warnings()
    kinds, measure, trouble = _measured(result.text, result, measure, result.begin)
    other, other_trouble = _other(other_text, result, measure)
    for message in filter(None, (trouble, other_trouble)):
        warnings.warning(message)
    if measure != "weights":
        st.caption(TEXT[f"measure {measure} help"])
    kinds, steps = aligned(kinds, result.choice, measure), steps_of(result.translation)
    view = _view(kinds, len(steps), other_text if other else "", warnings)
    view = attention_explorer(
        kinds,
        view=view,
        exact=exact_rows(kinds, view.wanted_rows(kinds)),
        steps=steps,
        other=other,
        names=(TEXT["this sentence"], TEXT["other sentence"]),
        measure_name=TEXT[f"measure {measure} name"] if measure != "weights" else "",
        text={**page_text("components/attention_explorer"), "head name": TEXT[f"measure {measure} head"]},
        theme=theme(),
        key=KEY,
        files=offered(files, KEY),
        aside=_cell_beside(result, kinds, view.last_cell(kinds)) if measure in _BY_HEAD else "",
    ).fitted(kinds, len(steps))
    _remember(view, kinds, other_text if other else "")
    return kinds, view, measure


def _show_below(result: TranslationResult, kinds: Kinds, view: ExplorerView, measure: str) -> None:
    """Offer the ways on from the cell and the head that are shown."""
    if measure in _BY_HEAD:
        _offer_cell(result, kinds, view.last_cell(kinds))
        _offer_by_hand(result, view)
    else:
        st.caption(TEXT["no heads"])


def _other(text: str, result: TranslationResult, measure: str) -> tuple[Kinds, str | None]:
    """Return the maps of ``measure`` of the second sentence, if there are any, and the problem, if any."""
    unread = why_unread(text)
    if unread or not text:
        return (), unread and TEXT["other trouble"].format(reason=unread)
    kinds, shown, trouble = _measured(text, result, measure)
    return kinds if shown == measure else (), trouble


def _measured(
    text: str, result: TranslationResult, measure: str, begin: tuple[int, ...] = ()
) -> tuple[Kinds, str, str | None]:
    """Return the maps of ``measure`` for ``text``, else its weights, the measure's name, and the problem."""
    try:
        return measured(text, result.choice, measure, begin), measure, None
    except TooManyTokensError as error:
        problem = TEXT["too many tokens"].format(given=error.n_tokens, most=error.most)
        return measured(text, result.choice, "weights", begin), "weights", problem
    except SourceTextError as error:
        return (), measure, TEXT["other trouble"].format(reason=why_untranslated(error))


def _view(kinds: Kinds, n_steps: int, other_text: str, warnings: DeltaGenerator) -> ExplorerView:
    """Return the selection: the explorer's, else the link's, else the last one here, else the default."""
    link = page_link()
    last = None if link_decides(KEY, *PARAMETERS) else kept(_LastView)
    chosen = committed_view(KEY)
    if chosen is None and any(name in link for name in PARAMETERS):
        # Where the text has become shorter, the link still says what was pinned before.
        linked, bad = read_link(ExplorerView, link) if last else read_of(link, kinds, n_steps)
        warn_of(warnings, bad)
        if {*PARAMETERS} & {*link} - {one.key for one in bad}:
            chosen = linked
    view = (chosen or (last.view if last and not last.is_opening else _opening(kinds))).fitted(kinds, n_steps)
    if last:
        view = _with_pins_of(view, last.sides.get(view.kind), _sides(kinds, view.kind))
    is_new = bool(other_text) and (last is None or last.other != other_text)
    return view.comparing(is_new=is_new, has_other=bool(other_text))


def _opening(kinds: Kinds) -> ExplorerView:
    """Return the cross-attention head that aligns words best; all of the last layer if not measured."""
    kind = kinds[-1]
    n_layers, n_heads = kind.weights.shape[:2]
    if kind.alignment is None:
        return ExplorerView(kind=kind.name, heads=tuple((n_layers - 1, head) for head in range(n_heads)))
    layer, head = np.unravel_index(np.nanargmin(kind.alignment), kind.alignment.shape)
    return ExplorerView(kind=kind.name, heads=((int(layer), int(head)),))


def _with_pins_of(view: ExplorerView, before: Sides | None, now: Sides) -> ExplorerView:
    """Return ``view`` with the pins that mean the same tokens as they did in the sentence before."""
    if before is None or before == now:
        return view

    def is_same(side: int, place: int | None) -> bool:
        return place is None or before[side][place : place + 1] == now[side][place : place + 1] != ()

    pins = tuple((query, key) for query, key in view.pins if is_same(0, query) and is_same(1, key))
    return replace(view, pins=pins, step=None)


def _sides(kinds: Kinds, name: str) -> Sides:
    """Return the labels of the rows and the columns of the matrix that the explorer shows for ``name``."""
    by_name: dict[str, AttentionKind] = {kind.name: kind for kind in kinds}
    if name != "all":
        kind = by_name[name]
        return kind.queries.labels, kind.keys.labels
    encoder, decoder = by_name["encoder"], by_name["decoder"]
    return encoder.queries.labels + decoder.queries.labels, encoder.keys.labels + decoder.keys.labels


def _remember(view: ExplorerView, kinds: Kinds, other_text: str) -> None:
    """Keep ``view`` for when the explorer comes back, and write it into the link."""
    is_opening = view == _opening(kinds)
    keep_in_session(_LastView(view, is_opening, {name: _sides(kinds, name) for name in (*BLOCKS, "all")}, other_text))
    # The link says the kind even where it is the default: without any parameter, the page opens on another view.
    written = {**link_of(view), "kind": view.kind}
    # One that says the opening view already stays as it is.
    if not is_opening:
        write_link(written)
    elif any(page_link().get(name) != text for name, text in written.items()):
        write_link(dict.fromkeys(PARAMETERS))


def _cell_beside(result: TranslationResult, kinds: Kinds, at: CellAddress | None) -> str:
    """Return HTML for the calculation of one cell; nothing where there is none."""
    if at is None:
        return ""
    cell, labels = _cell(result, kinds, at)
    return cell_style() + cell_view(cell, labels, theme=theme(), text=page_text("pages/translate/cell"))


def _offer_cell(result: TranslationResult, kinds: Kinds, at: CellAddress | None) -> None:
    """Say how a cell is opened, or offer the numbers of the one that is."""
    if at is None:
        st.caption(TEXT["no cell"])
        return
    download(TEXT["download cell"], lambda: cell_as_csv(*_cell(result, kinds, at)), "cell.csv")


def _cell(result: TranslationResult, kinds: Kinds, at: CellAddress) -> tuple[AttentionCell, CellLabels]:
    loaded = translator(result.choice.model)
    recording = record_blocks(loaded, result.translation, block_name(at.kind, at.layer))
    cell = cell_of(recording, at.kind, at.layer, head=at.head, query=at.query, key=at.key)
    kind = next(kind for kind in kinds if kind.name == at.kind)
    return cell, CellLabels(kind.queries.labels[at.query], kind.keys.labels)


def _offer_by_hand(result: TranslationResult, view: ExplorerView) -> None:
    layer, head = (number + 1 for number in view.heads[0])
    kind = "cross" if view.kind == "all" else view.kind
    sentence = {**carried_sentence(result.text, result.choice), **query_of(Beginning(result.begin))}
    query = {**sentence, "kind": kind, "layer": str(layer), "head": str(head)}
    label = TEXT["by hand"].format(layer=layer, head=head)
    with st.container(horizontal=True):
        link_to("dot-product", label, query)
        _offer_to_switch_off(result, f"{kind}.{layer}.{head}", TEXT["switch off"].format(layer=layer, head=head))


def _offer_to_switch_off(result: TranslationResult, code: str, label: str) -> None:
    query = {**carried_sentence(result.text, result.choice), "off": code}
    link_to("switch-heads-off", label, query)
