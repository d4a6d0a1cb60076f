"""Page on what every head does: measurements of a model's heads over many sentences or inputs."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from pretrained import head_catalogue
from viz.base.attention_maps import BlockName
from viz.base.languages import together, worded
from viz.base.link_parameters import Choice, labelled
from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.base.words import listed, listed_apart, page_text, paragraph
from viz.figures.measure_grid import measure_grid
from viz.pages.head_catalogue import small_decoders
from viz.pages.head_catalogue.measured import measured_translators
from viz.pages.head_catalogue.study.claims import cross_sinks
from viz.pages.head_catalogue.study.roles import MEASURES, SHARES, Catalogue, CatalogueHead, as_csv, catalogue_of, grid
from viz.shared.shipped import cached_while_unchanged
from viz.shared.translators import KEY
from viz.shell.controls import place_for_warnings, select, warn_bad_links
from viz.shell.page import link_to
from viz.shell.picture import File, draw_picture, with_arrays

TEXT = page_text("pages/head_catalogue/heads")
_HIGHEST = "highest"
# The measures beside which it is told how much of cross-attention rests.
_OF_SINKS = ("last", "sink", "marks")


@cached_while_unchanged(lambda name: [head_catalogue.roles_path(name)], max_entries=16)
def catalogue(name: str) -> Catalogue:
    """Return what was measured of the heads of the translator ``name``.

    Raises:
        OSError: the file cannot be read.
        KeyError: it has not all measures.
        ValueError: it is damaged.
    """
    return catalogue_of(head_catalogue.head_roles(name))


@cached_while_unchanged(lambda name: [head_catalogue.examples_path(name)], max_entries=16)
def examples(name: str) -> pd.DataFrame:
    """Return the sentences of the translator ``name``, not to be changed; empty where none ship.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged.
    """
    return head_catalogue.head_examples(name)


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    decoders = small_decoders.measured(warnings)
    models = together(measured_translators(head_catalogue.roles_path), small_decoders.names_of(decoders))
    if not models:
        st.warning(TEXT["nothing measured"])
        return
    choice_of_model = labelled("of", models)
    warn_bad_links(warnings, [choice_of_model])
    with st.container(horizontal=True, vertical_alignment="bottom", key="heads-choices"):
        name = select(choice_of_model, TEXT["model"], width=290)
        of_task = decoders.get(small_decoders.task_of(name) or "", {})
        encoding = small_decoders.choose_encoding(of_task, warnings) if of_task else ""
        try:
            shown = of_task[encoding] if of_task else catalogue(name)
        except (OSError, ValueError, KeyError):
            warnings.warning(TEXT["damaged"])
            return
        choice_of_measure = _measure_choice(shown)
        warn_bad_links(warnings, [choice_of_measure])
        measure = select(choice_of_measure, TEXT["measure"], width=330)
        ranked = shown.ranked(measure)
        choice = _head_choice(ranked)
        warn_bad_links(warnings, [choice])
        code = select(choice, TEXT["head"], width=290)
    head = next((one for one in ranked if one.code == code), ranked[0])
    st.markdown(TEXT[f"see {measure}"])
    if measure in _OF_SINKS and not of_task:
        st.markdown(_cross_sinks(shown))
    picture, words = st.columns([3, 2], gap="large")
    with picture:
        _show_grid(shown, measure, head)
        if of_task:
            small_decoders.show_every_encoding(of_task, measure, TEXT[f"measure {measure}"], encoding)
    with words:
        st.markdown(_positional(shown))
        st.markdown(_description(head))
        if not of_task:
            _show_sentences(name, measure, head)
    with words if of_task else st.container():
        if of_task:
            small_decoders.explain(shown)
        else:
            left, right = st.columns(2, gap="large")
            left.markdown(TEXT["what to try"])
            right.markdown(TEXT["how measured"].format(sentences=f"{shown.sentences:,}"))
        st.markdown(TEXT["paper"])


def _cross_sinks(shown: Catalogue) -> str:
    try:
        shipped = map(catalogue, measured_translators(head_catalogue.roles_path))
        return cross_sinks(shown, shipped).sentence(TEXT, "claim cross sinks")
    except (OSError, ValueError, KeyError):
        # The catalogue of another translator cannot be read; its own choice says so.
        return ""


def _measure_choice(shown: Catalogue) -> Choice[str]:
    # A small decoder reads no ⟨end⟩ and no punctuation.
    there = [name for name in MEASURES if shown.ranked(name)]
    return labelled("head-measure", worded(there, lambda name: TEXT[f"measure {name}"]), "previous")


def _head_choice(ranked: list[CatalogueHead]) -> Choice[str]:
    heads = {one.code: one for one in ranked}

    def named(code: str) -> str:
        return TEXT["highest"].format(head=_name(ranked[0])) if code == _HIGHEST else _name(heads[code])

    return replace(
        labelled("measured-head", worded([_HIGHEST, *heads], named)),
        summary=TEXT["heads"].format(head=_name(ranked[0])),
    )


def _show_grid(shown: Catalogue, measure: str, head: CatalogueHead) -> None:
    places, values = grid(shown.heads, measure)
    rows = [TEXT["row"].format(kind=TEXT[f"kind {kind}"], layer=layer) for kind, layer in places]
    hovers = [
        [
            TEXT["hover"].format(head=_short(kind, layer, number), value=_number(value))
            for number, value in enumerate(values[row].tolist(), start=1)
        ]
        for row, (kind, layer) in enumerate(places)
    ]
    figure = measure_grid(
        values,
        rows=rows,
        hovers=hovers,
        marked=(places.index((head.kind, head.layer)), head.number - 1),
        highest=1.0 if measure in SHARES else float(np.nanmax(values)),
    )
    top = listed_apart(f"{_name(one)} {_number(one.values[measure])}" for one in shown.ranked(measure)[:3])
    alt = TEXT["alt"].format(measure=TEXT[f"measure {measure}"], n=len(shown.heads), top=top)
    files = with_arrays(File(TEXT["download"], lambda: as_csv(shown), "heads.csv"))
    draw_picture(figure, key="heads", file_name="heads", alt=alt, files=files)


def _positional(shown: Catalogue) -> str:
    positional, closest = shown.positional(), shown.ranked("offset_share")[0]
    names = listed(map(_name, positional))
    nearest = TEXT["closest"].format(
        head=_name(closest), offset=signed(closest.offset, 0), share=f"{closest.values['offset_share']:.0%}"
    )
    summary = TEXT["positional"].format(n=len(positional), of=len(shown.heads))
    return paragraph([summary, TEXT["these"].format(names=names) if positional else nearest])


def _description(head: CatalogueHead) -> str:
    shares = ("previous", "same", "next", "sink", "rare", "induction")
    parts = [
        TEXT["told part"].format(measure=TEXT[f"short {name}"], value=_number(head.values[name]))
        for name in shares
        if not np.isnan(head.values[name])
    ]
    entropy, distance = _number(head.values["entropy"]), _number(head.values["distance"])
    return TEXT["told"].format(head=_name(head), parts=listed(parts), entropy=entropy, distance=distance)


def _show_sentences(name: str, measure: str, head: CatalogueHead) -> None:
    try:
        rows = examples(name)
    except (OSError, ValueError):
        rows = pd.DataFrame()
    if rows.empty:
        st.caption(TEXT["no sentences"])
        return
    is_it = (rows["kind"] == head.kind) & (rows["layer"] == head.layer) & (rows["head"] == head.number)
    chosen = rows[is_it & (rows["measure"] == measure)]
    if chosen.empty:
        st.caption(TEXT["no sentences of this"])
        return
    shared = {KEY: name, "kind": head.kind, "heads": f"{head.layer}.{head.number}"}
    for is_most in (True, False):
        st.markdown(TEXT["most" if is_most else "least"])
        for row in chosen[chosen["is_most"] == is_most].itertuples():
            text = TEXT["sentence"].format(value=_number(float(row.value)), text=plain(str(row.text)))  # type: ignore[arg-type]
            link_to("translate", text, {"text": str(row.text), **shared})


def _name(head: CatalogueHead) -> str:
    return _short(head.kind, head.layer, head.number)


def _short(kind: BlockName, layer: int, number: int) -> str:
    return TEXT["name"].format(kind=TEXT[f"kind {kind}"], layer=layer, head=number)


def _number(value: float) -> str:
    return TEXT["none"] if np.isnan(value) else f"{value:.2f}"


if __name__ == "__main__":
    show()
