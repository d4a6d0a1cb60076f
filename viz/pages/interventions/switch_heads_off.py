"""Switch heads off: the effect of every head on a translation, and the translation without some."""

from collections.abc import Iterable, Mapping
from functools import partial
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.base.colours import style_variables
from viz.base.exports import columns_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import Choice
from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.base.words import page_text
from viz.pages.interventions.components.head_grid import GridCell, GridLook, head_grid, pressed_code
from viz.pages.interventions.lines import change_sentence, marked, show_change
from viz.pages.interventions.names import column_of, grid_words, long_name, names_of, rows_of, short_name
from viz.pages.interventions.opening import open_translation
from viz.pages.interventions.state import (
    BY,
    OFF,
    AblatedRun,
    Codes,
    Runs,
    SwitchedOff,
    Timeline,
    ablated,
    effects,
    head_means,
    move,
    off_of,
    opening,
    remember,
    switch,
    switches,
    timeline,
)
from viz.pages.interventions.study.ablated import AblatedTranslation, marked_words, total
from viz.pages.interventions.study.parts import Switch
from viz.shared.sentence import say_limits
from viz.shared.shipped import TranslatorInfo
from viz.shared.translation import TranslationResult
from viz.shell.controls import choose, warn_bad_links
from viz.shell.link import link_decides
from viz.shell.page import theme
from viz.shell.picture import File, offered, with_arrays
from viz.shell.state import keep_in_session, kept, linked_value, set_link

TEXT = page_text("pages/interventions/switch_heads_off")
# What is needed has the colour of weights, as on the other pages: without it, the probability falls.
_LOOK = GridLook(places=2, blue=-1)
_GRID, _CHOSEN = "head-grid", "switched-off"
# With a translation as long, the pass over all parts takes about two seconds of one core.
_MOST_TOKENS = 128
# A head that costs a fifth of the probability.
_NEEDED = 0.2
_SHOWN_RUNS = 6
# Pixels of the list of what is off; where there is less room beside the buttons, it stands below them.
_WIDTH = 480
_IDS = {False: "zero", True: "mean"}
_BY = Choice(
    BY, False, tuple(_IDS), labels=worded(_IDS, lambda by_mean: TEXT[f"by {_IDS[by_mean]}"]), id=_IDS.__getitem__
)


def show() -> None:
    """Draw the page."""
    result, model, by_mean, warnings = open_translation(_choose_means)
    parameter = SwitchedOff(OFF, None, tuple(switches(model.name)))
    if link_decides(OFF, OFF):
        warn_bad_links(warnings, [parameter])
        keep_in_session(Timeline((linked_value(parameter),)))
    _show_interventions(result, by_mean)
    _explain(model)


def _choose_means(_text: str, model: TranslatorInfo, warnings: DeltaGenerator) -> bool:
    """Draw the choice of a part's replacement, where there is one; return whether it is the mean."""
    means = head_means(model.name)
    if means is None:
        return False
    warn_bad_links(warnings, [_BY])
    return choose(_BY, TEXT["by"])


@st.fragment
def _show_interventions(result: TranslationResult, by_mean: bool) -> None:
    """Draw the translations, the grid and the runs; what is switched draws nothing else again."""
    model = result.choice.model
    if len(result.translation.source.pieces) > _MOST_TOKENS:
        st.warning(TEXT["too long"].format(given=len(result.translation.source.pieces), most=_MOST_TOKENS))
        return
    known = switches(model)
    chosen = off_of(tuple(known))
    set_link(SwitchedOff(OFF, None, tuple(known)), chosen)
    with st.spinner(TEXT["measuring"]):
        worth = effects(result.text, model, by_mean)
        off = opening(result.text, model, by_mean) if chosen is None else chosen
        run = AblatedRun(result.text, model, by_mean, off)
        edited = ablated(run)
    remember(run)
    # There also where nothing is off: what stands below has one place.
    after = TEXT["switched off" if off else "nothing off"]
    show_change(
        result.translation,
        edited,
        name=TEXT["lines"],
        before=TEXT["all on"],
        after=after,
        note=TEXT["log probability"],
    )
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        st.markdown(TEXT["see"])
        files = [
            *with_arrays(File(TEXT["download effects"], partial(_effects_as_csv, known, worth, off), "heads.csv")),
            *with_arrays(File(TEXT["download runs"], partial(_runs_as_csv, result, known), "runs.csv")),
        ]
        _show_grid(known, worth, off, files)
        _show_controls(known, off)
    with words:
        if chosen is None and off:
            st.markdown(TEXT["to begin with"].format(head=names_of(off, known)))
        st.markdown(_summary(result, edited, off))
        _show_runs(result, known, run)


def _summary(result: TranslationResult, edited: AblatedTranslation, off: Codes) -> str:
    if not off:
        return TEXT["same"]
    whole = total(result.translation)
    return change_sentence(edited, whole, changed=TEXT["first change"], unchanged=TEXT["unchanged"])


def _show_grid(known: Mapping[str, Switch], worth: Mapping[str, float], off: Codes, files: Iterable[File]) -> None:
    rows, n_heads = rows_of(known), max(one.head for one in known.values())
    places = list(rows)
    cells = []
    for code, one in known.items():
        column, span = column_of(one, n_heads)
        state = TEXT["told off" if code in off else "told on"]
        tooltip = (long_name(one), TEXT["told effect"].format(effect=signed(worth[code])), state)
        is_within = one.holding != code and one.holding in off
        row = places.index((one.kind, one.layer))
        cells.append(GridCell(code, row, column, span, worth[code], code in off, is_within, tooltip))
    heads = {code: worth[code] for code, one in known.items() if one.sort == "head"}
    most = min(heads, key=heads.__getitem__)
    alt = TEXT["alt"].format(
        n=len(heads),
        n_blocks=len(known) - len(heads),
        name=long_name(known[most]),
        effect=signed(heads[most]),
        n_needed=sum(effect < -_NEEDED for effect in heads.values()),
        least=_NEEDED,
    )
    head_grid(
        sorted(cells, key=lambda cell: (cell.row, cell.column)),
        list(rows.values()),
        [*map(str, range(1, n_heads + 1)), TEXT["column attention"], TEXT["column feed-forward"]],
        scale=max(map(abs, heads.values())),
        alt=alt,
        theme=theme(),
        words=grid_words({key: TEXT[key] for key in ("unit", "rule", "title")}),
        key=_GRID,
        files=offered(files, _GRID),
        on_press=partial(_press, off),
        look=_LOOK,
    )


def _press(off: Codes) -> None:
    code = pressed_code(_GRID)
    if code is not None:
        switch(tuple(one for one in off if one != code) if code in off else (*off, code))


def _choose(known: Mapping[str, Switch]) -> None:
    switch(tuple(code for code in st.session_state[_CHOSEN] if code in known))


def _show_controls(known: Mapping[str, Switch], off: Codes) -> None:
    at = timeline()
    with st.container(horizontal=True, vertical_alignment="bottom", key="switches"):
        st.button(TEXT["undo"], on_click=move, args=(-1,), disabled=at.at == 0)
        st.button(TEXT["redo"], on_click=move, args=(1,), disabled=not at.can_redo)
        st.button(TEXT["turn all on"], on_click=switch, args=((),), disabled=not off)
        st.session_state[_CHOSEN] = list(off)
        st.multiselect(
            TEXT["what is off"],
            list(known),
            format_func=lambda code: short_name(known[code]),
            key=_CHOSEN,
            on_change=_choose,
            args=(known,),
            placeholder=TEXT["what is off placeholder"],
            width=_WIDTH,
        )


def _show_runs(result: TranslationResult, known: Mapping[str, Switch], now: AblatedRun) -> None:
    st.header(TEXT["runs"], anchor=False, help=TEXT["runs help"])
    runs = [run for run in _runs(result) if run.by_mean == now.by_mean]
    with st.container(key="runs", gap=None):
        for number, run in enumerate(reversed(runs[-_SHOWN_RUNS:])):
            edited = ablated(run)
            name = names_of(run.off, known)
            if run == now:
                st.markdown(f"**{plain(name)}**")
            else:
                st.button(name, key=f"take-up-{number}", type="tertiary", on_click=switch, args=(run.off,))
            value = TEXT["log probability"].format(value=signed(edited.log_probability))
            words = marked(marked_words(edited.translation, result.translation))
            st.html(f'<p class="run" style="{style_variables(theme())}">{words} <small>{escape(value)}</small></p>')


def _runs(result: TranslationResult) -> tuple[AblatedRun, ...]:
    return (kept(Runs) or Runs()).of(result.text, result.choice.model)


def _effects_as_csv(known: Mapping[str, Switch], worth: Mapping[str, float], off: Codes) -> str:
    return columns_as_csv(
        {
            "part": list(known),
            "name": [long_name(one) for one in known.values()],
            "effect": [f"{worth[code]:.6g}" for code in known],
            "off": [str(code in off).lower() for code in known],
        }
    )


def _runs_as_csv(result: TranslationResult, known: Mapping[str, Switch]) -> str:
    runs = _runs(result)
    done = [ablated(run) for run in runs]
    return columns_as_csv(
        {
            "off": [names_of(run.off, known) for run in runs],
            "by": ["mean" if run.by_mean else "zero" for run in runs],
            "translation": [one.translation.text for one in done],
            "log_probability": [f"{one.log_probability:.6g}" for one in done],
            "log_probability_of_the_first": [f"{one.of_whole:.6g}" for one in done],
        }
    )


def _explain(model: TranslatorInfo) -> None:
    to_try, formula = st.columns(2, gap="large")
    with to_try:
        st.markdown(TEXT["what to try"])
        means = head_means(model.name)
        if means is not None:
            st.caption(
                TEXT["by help"].format(
                    **{name: getattr(means, name) for name in ("sentences", "source_tokens", "target_tokens")}
                )
            )
    with formula:
        st.markdown(TEXT["formula"])
        st.markdown(TEXT["paper"])
    say_limits(model)


if __name__ == "__main__":
    show()
