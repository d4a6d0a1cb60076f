"""Choose an encoding: what one needs of it, what was measured of that here, and what others published."""

import streamlit as st

from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.words import page_text
from viz.figures.chart import Chart
from viz.pages.choose_encoding.answers import DUEL, FAULTS, NEEDS, NeedAnswer, answer, without_need
from viz.shared.encodings import with_meanings
from viz.shell.controls import choose, place_for_warnings, warn_bad_links
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/choose_encoding/choose_encoding")
_NEED = labelled("need", worded(NEEDS, lambda name: TEXT[f"need {name}"]))


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_NEED])
    _show_default()
    st.markdown(TEXT["intro"])
    need = choose(_NEED, TEXT["need"])
    picture, words = st.columns([3, 2], gap="large")
    try:
        shown = answer(need)
    except FAULTS:
        warnings.warning(TEXT["damaged"])
        shown = NeedAnswer((), ())
    with picture:
        _show_charts(need, shown)
    with words:
        for sentence in shown.sentences:
            st.markdown(with_meanings(sentence))
        if shown.how:
            st.caption(shown.how)
        for part in ("measured", "published", "sure"):
            st.markdown(with_meanings(TEXT[f"{part} {need}"]))


def _show_default() -> None:
    """Show what to take without a special need; where a file is damaged, the need that it is for says so."""
    try:
        default = without_need()
    except FAULTS:
        return
    if default is not None:
        choice, rule = map(with_meanings, default)
        st.markdown(choice)
        st.caption(rule)


def _show_charts(need: str, shown: NeedAnswer) -> None:
    if not shown.charts:
        st.info(TEXT["none"])
    elif need == DUEL:
        for chart in shown.charts:
            _draw(chart)
    else:
        for place, chart in zip(st.columns(len(shown.charts)), shown.charts, strict=True):
            with place:
                _draw(chart)
    if shown.families:
        with st.container(key="families"):
            st.html(shown.families)


def _draw(chart: Chart) -> None:
    if chart.heading:
        st.markdown(f"**{chart.heading}**")
    files = [File(TEXT["download"], chart.table, f"{chart.name}.csv")] if chart.table else []
    draw_picture(chart.figure, key=chart.key, file_name=chart.name, alt=chart.alt, files=files)


if __name__ == "__main__":
    show()
