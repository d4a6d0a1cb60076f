"""Page on the heads needed: loss of translators without each head, and as more are pruned."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from pretrained import head_pruning
from viz.base.attention_maps import BLOCKS
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.numbers import signed
from viz.base.words import listed_apart, page_text, paragraph
from viz.components.table import table as html_table
from viz.figures.measure_grid import measure_grid, narrowest_measures
from viz.pages.head_catalogue.figures.pruning_curves import Points, pruning_curves
from viz.pages.head_catalogue.measured import measured_translators
from viz.pages.head_catalogue.study.claims import one_left, pruned, published_one_left
from viz.pages.head_catalogue.study.pruning import (
    DROP,
    MEASURES,
    ORDERS,
    Measure,
    OneHead,
    Order,
    Pruning,
    as_csv,
    pruning_of,
)
from viz.pages.head_catalogue.study.published import published_pruning, published_with_one_head
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import choose, place_for_warnings, select, warn_bad_links
from viz.shell.picture import File, draw_picture, with_arrays

TEXT = page_text("pages/head_catalogue/heads_needed")
_MEASURE = labelled("of-measure", worded(MEASURES, lambda name: TEXT[f"measure {name}"]))
_REPLACED = ("zero", "mean")
_BY = labelled("replaced-by", worded(_REPLACED, lambda name: TEXT[f"by {name}"]))
_WORST = 3
# Where nothing matters more than this, no cell is deep.
_PALEST = 0.05


@cached_while_unchanged(lambda name: [head_pruning.pruning_path(name)], max_entries=16)
def measured(name: str) -> tuple[Pruning, pd.DataFrame]:
    """Return what was measured of the translator ``name``, and its rows, not to be changed.

    Raises:
        OSError: the file cannot be read.
        KeyError: it has not all that the page shows.
        ValueError: it is damaged.
    """
    rows = head_pruning.head_pruning(name)
    return pruning_of(rows), rows


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    there = measured_translators(head_pruning.pruning_path)
    if not there:
        st.warning(TEXT["nothing measured"])
        return
    translators = labelled("of", there)
    warn_bad_links(warnings, [translators, _MEASURE, _BY])
    with st.container(horizontal=True, vertical_alignment="bottom", key="needed-choices"):
        name = select(translators, TEXT["translator"], width=290)
        measure: Measure = choose(_MEASURE, TEXT["measure"])
    try:
        pruning, rows = measured(name)
    except (OSError, ValueError, KeyError):
        warnings.warning(TEXT["damaged"])
        return
    st.markdown(TEXT["see"])
    picture, words = st.columns([3, 2], gap="large")
    with picture:
        _show_curves(pruning, rows, measure)
    with words:
        st.markdown(_summary(pruning))
        st.markdown(pruned(pruning).sentence(TEXT, "claim pruned"))
        st.markdown(TEXT["michel"])
    heads, layers = st.columns(2, gap="large")
    with heads:
        _show_heads(pruning, rows, measure)
    with layers:
        _show_layers(pruning)
        st.markdown(TEXT["how measured"].format(sentences=f"{pruning.sentences:,}", choosing=f"{pruning.choosing:,}"))
        st.markdown(TEXT["formula"])
        st.markdown(TEXT["paper"])


def _show_curves(pruning: Pruning, rows: pd.DataFrame, measure: Measure) -> None:
    is_bleu = measure == "bleu"
    curves = {TEXT[f"order {order}"]: _points(pruning, order, measure) for order in ORDERS}
    figure = pruning_curves(
        curves,
        {TEXT["voita"]: published_pruning()} if is_bleu else {},
        x_name=TEXT["removed"].format(n=pruning.n_heads),
        y_name=TEXT[f"axis {measure}"],
        level=(TEXT["level"].format(drop=signed(-DROP, 1)), -DROP) if is_bleu else None,
    )
    alt = TEXT["alt"].format(
        measure=TEXT[f"axis {measure}"], n=pruning.n_heads, **{order: pruning.heads_left(order) for order in ORDERS}
    )
    draw_picture(figure, key="pruning", file_name="pruning", alt=alt, files=_files(rows))


def _points(pruning: Pruning, order: Order, measure: Measure) -> Points:
    removed, values = pruning.curves[order].known(measure)
    return removed / pruning.n_heads, values - (pruning.whole["bleu"] if measure == "bleu" else 0)


def _files(rows: pd.DataFrame) -> Sequence[File]:
    return with_arrays(File(TEXT["download"], lambda: as_csv(rows), "pruning.csv"))


def _summary(pruning: Pruning) -> str:
    worst = pruning.ranked("zero", "bleu")[0]
    blocks = sorted(pruning.only.values(), key=lambda head: -head.lost["bleu"])
    return TEXT["told"].format(
        n=pruning.n_heads,
        sentences=pruning.sentences,
        bleu=f"{pruning.whole['bleu']:.1f}",
        drop=DROP,
        worst=_name(worst),
        worst_change=signed(-worst.lost["bleu"], 1),
        little=sum(head.lost["bleu"] < DROP for head in pruning.alone["zero"]),
        free=sum(head.lost["bleu"] <= 0 for head in pruning.alone["zero"]),
        block=_block(blocks[0]),
        block_change=signed(-blocks[0].lost["bleu"], 1),
        **{order: pruning.heads_left(order) for order in ORDERS},
    )


def _show_heads(pruning: Pruning, rows: pd.DataFrame, measure: Measure) -> None:
    st.header(TEXT["alone"], anchor="alone")
    by = choose(_BY, TEXT["by"]) if len(pruning.alone) > 1 else _REPLACED[0]
    places, values = pruning.grid(by, measure)
    names = [TEXT["row"].format(kind=TEXT[f"kind {kind}"], layer=layer) for kind, layer in places]
    hovers = [
        [TEXT["hover"].format(row=name, head=head, value=signed(value)) for head, value in enumerate(of_row, start=1)]
        for name, of_row in zip(names, values.tolist(), strict=True)
    ]
    figure = measure_grid(
        values, rows=names, hovers=hovers, marked=None, highest=max(float(np.nanmax(values)), _PALEST)
    )
    worst = listed_apart(f"{_name(one)} {signed(one.lost[measure])}" for one in pruning.ranked(by, measure)[:_WORST])
    alt = TEXT["alt alone"].format(measure=TEXT[f"lost {measure}"], n=pruning.n_heads, worst=worst)
    st.markdown(TEXT[f"see alone {measure}"])
    narrowest = narrowest_measures(names, values.shape[1])
    draw_picture(figure, key="alone", file_name="heads-alone", alt=alt, files=_files(rows), narrowest=narrowest)


def _show_layers(pruning: Pruning) -> None:
    st.header(TEXT["one left"], anchor="one-left")
    st.markdown(TEXT["see one left"])
    published = published_with_one_head()
    layers = range(1, max(*map(len, published.values()), *pruning.layers()) + 1)
    ours = {place: signed(-head.lost["bleu"]) for place, head in pruning.only.items()}
    theirs = {(kind, n): signed(change) for kind in BLOCKS for n, change in enumerate(published[kind], start=1)}
    cells = [
        [name.format(kind=TEXT[f"kind {kind}"]), *(changes.get((kind, layer), "") for layer in layers)]
        for name, changes in ((TEXT["here"], ours), (TEXT["theirs"], theirs))
        for kind in BLOCKS
    ]
    headings = [TEXT["block"], *(TEXT["layer"].format(layer=layer) for layer in layers)]
    st.html(html_table(headings, cells, name=TEXT["one left"]))
    claims = {"claim published one left": published_one_left(), "claim one left": one_left(pruning)}
    st.markdown(paragraph(claim.sentence(TEXT, key) for key, claim in claims.items()))


def _name(head: OneHead) -> str:
    return TEXT["name"].format(kind=TEXT[f"kind {head.kind}"], layer=head.layer, head=head.number)


def _block(head: OneHead) -> str:
    return TEXT["row"].format(kind=TEXT[f"kind {head.kind}"], layer=head.layer)
