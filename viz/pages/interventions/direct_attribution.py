"""Direct attribution: which parts of the decoder wrote a token rather than another one."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.analysis.interventions.direct_attribution import NotASumError
from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.base.words import page_text
from viz.figures.attribution_grid import attribution_grid
from viz.pages.interventions.lines import refer
from viz.pages.interventions.names import long_name_of_head, say_numbers_hidden
from viz.pages.interventions.opening import choose_step_and_foil, open_translation
from viz.pages.interventions.state import attributed
from viz.pages.interventions.study.attributed import AttributionRow, ShownAttribution, attribution_as_csv
from viz.shared.sentence import carried_sentence
from viz.shared.translation import TranslationResult
from viz.shell.page import link_to
from viz.shell.picture import File, draw_picture, with_arrays

TEXT = page_text("pages/interventions/direct_attribution")
# Steps that fit in a line of choices which can be moved sideways.
_MOST_STEPS = 128


def show() -> None:
    """Draw the page."""
    result, model, _, warnings = open_translation(lambda *_: None)
    n_steps = len(result.translation.target.pieces)
    if n_steps > _MOST_STEPS:
        warnings.warning(TEXT["too long"].format(given=n_steps, most=_MOST_STEPS))
    else:
        _show_attribution(result, warnings)
    refer(TEXT["formula"], TEXT["paper"], model=model)


def _show_attribution(result: TranslationResult, warnings: DeltaGenerator) -> None:
    try:
        attribution = attributed(result.text, result.choice.model)
    except NotASumError as error:
        warnings.warning(TEXT["not a sum"].format(norm=error.norm, residual=error.residual))
        return
    labels, about = (TEXT["step"], TEXT["foil"]), (result.text, result.choice.model)
    chosen = choose_step_and_foil(attribution, attribution.opening_step, labels, about=about, warnings=warnings)
    shown = attribution.shown(*chosen)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        st.markdown(TEXT["see"])
        _show_grid(shown, attribution.read[shown.step - 1])
    with words:
        _tell(result, shown)
        st.markdown(TEXT["what to try"])


def _show_grid(shown: ShownAttribution, read: str) -> None:
    n_heads = max(len(row.heads) for row in shown.rows)
    values = [[head.contribution for head in row.heads] or [np.nan] * n_heads for row in shown.rows]
    sums = {"sum": shown.total, "difference": shown.difference}
    contributions = [*((_name(row, read), row.total) for row in shown.rows)]
    contributions += [(TEXT[f"name {name}"], value) for name, value in sums.items()]
    figure = attribution_grid(
        np.array(values),
        np.array([row.total for row in shown.rows]),
        names=[TEXT[f"row {row.writer}"].format(layer=row.layer) for row in shown.rows],
        sums=[(TEXT[f"row {name}"], value) for name, value in sums.items()],
        head_hovers=[_head_tooltips(row) or [""] * n_heads for row in shown.rows],
        row_hovers=[TEXT["told row"].format(name=name, value=signed(value)) for name, value in contributions],
        headings=(TEXT["heads"], TEXT["bars"]),
    )
    row, number = shown.strongest()
    alt = TEXT["alt"].format(
        n=sum(len(row.heads) or 1 for row in shown.rows),
        token=shown.token,
        foil=shown.foil,
        step=shown.step,
        total=signed(shown.total),
        name=long_name_of_head(row.writer, row.layer, number),
        value=signed(row.heads[number - 1].contribution),
    )
    files = with_arrays(File(TEXT["download"], lambda: attribution_as_csv(shown), "attribution.csv"))
    draw_picture(figure, key="attribution", file_name="attribution", alt=alt, files=files)
    say_numbers_hidden()


def _name(row: AttributionRow, read: str) -> str:
    return TEXT[f"name {row.writer}"].format(layer=row.layer, read=read)


def _head_tooltips(row: AttributionRow) -> list[str]:
    return [
        TEXT["told head"].format(
            name=long_name_of_head(row.writer, row.layer, number),
            value=signed(head.contribution),
            weight=f"{head.weight:.2f}",
            reads=head.reads,
        )
        for number, head in enumerate(row.heads, start=1)
    ]


def _tell(result: TranslationResult, shown: ShownAttribution) -> None:
    """Say what is seen, and lead on to what becomes of the translation without the strongest head."""
    row, number = shown.strongest()
    head = row.heads[number - 1]
    st.markdown(
        TEXT["found"].format(
            token=plain(shown.token),
            foil=plain(shown.foil),
            p_token=f"{shown.probabilities[0]:.1%}",
            p_foil=f"{shown.probabilities[1]:.1%}",
            difference=signed(shown.difference),
            total=signed(shown.total),
            head=number,
            kind=TEXT[f"kind {row.writer}"],
            layer=row.layer,
            value=signed(head.contribution),
            weight=f"{head.weight:.2f}",
            reads=plain(head.reads),
        )
    )
    if shown.difference < 0:
        st.caption(TEXT["overruled"])
    query = {**carried_sentence(result.text, result.choice), "off": f"{row.writer}.{row.layer}.{number}"}
    link_to("switch-heads-off", TEXT["switch off"], query)
