"""Read along: three papers, section by section, each with its picture at work and a question about it."""

from dataclasses import replace

import streamlit as st

from viz.base.glossary import term_help, term_link
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.words import between, page_text
from viz.pages.start.asking import answered, ask, draw_or_say_why, follow, lead_on, offer_sheet, show_progress
from viz.pages.start.components.page_top import page_top
from viz.pages.start.drawing import draw
from viz.pages.start.exercise_sheet import exercise_sheet
from viz.pages.start.reading_path import STOPS
from viz.pages.start.state import AnsweredStops
from viz.pages.start.stops import Stop
from viz.shell.controls import place_for_warnings, select, warn_bad_links
from viz.shell.state import hold

TEXT = page_text("pages/start/read_along")
_KEY = "stop"
_DONE = AnsweredStops("done", (), tuple(place for place, stop in enumerate(STOPS, start=1) if stop.question))


def show() -> None:
    """Draw the page."""
    chapters, stop_itself = st.columns([1, 4], gap="medium")
    with stop_itself:
        number = _choose_stop()
        stop = STOPS[number - 1]
        # No captions: links in their grey have too little contrast.
        st.markdown(where(number, stop))
        draw_or_say_why(lambda: _show_stop(stop))
        lead_on(number, len(STOPS), _open)
    # After the stop, whose question may just have been answered.
    with chapters:
        _show_chapters(number)
    page_top(number, key="reading-top")


def _choose_stop() -> int:
    """Draw the list of stops, for a phone, and return the one to show: of the link, or else the last one."""
    field = replace(labelled(_KEY, worded(range(1, len(STOPS) + 1), _choice)), summary=between(1, len(STOPS)))
    warn_bad_links(place_for_warnings(), [field, _DONE])
    hold(field)
    hold(_DONE)
    with st.container(key="reading-way"):
        return select(field, TEXT["stop"], label_visibility="collapsed")


def _open(number: int) -> None:
    st.session_state[_KEY] = number


def _show_chapters(number: int) -> None:
    """Draw every stop under its paper, with a tick where its question was answered right."""
    done = answered(_DONE, {place: STOPS[place - 1] for place in _DONE.asked})
    with st.container(key="chapters", gap=None):
        show_progress(done, _DONE)
        if number == 1 and done:
            following = min(max(done) + 1, len(STOPS))
            st.button(TEXT["go on"].format(number=following), on_click=_open, args=(following,), key="go-on")
        for place, stop in enumerate(STOPS, start=1):
            if place == 1 or stop.paper != STOPS[place - 2].paper:
                st.markdown(f"**{TEXT[f'paper {stop.paper}']}**")
            label = TEXT["done" if place in done else "not done"].format(number=place, title=stop.words["title"])
            key = f"chapter-current-{place}" if place == number else f"chapter-{place}"
            st.button(label, on_click=_open, args=(place,), key=key, type="tertiary")
        page = st.context.url or ""
        offer_sheet(lambda: exercise_sheet(STOPS, page), "exercises.html")


def _choice(number: int) -> str:
    stop = STOPS[number - 1]
    return TEXT["choice"].format(number=number, section=stop.section, title=stop.words["title"])


def where(number: int, stop: Stop) -> str:
    """Return where the stop ``number`` is in its paper, as Markdown."""
    paper, address = TEXT[f"paper {stop.paper}"], TEXT[f"address {stop.paper}"]
    return TEXT["where"].format(number=number, total=len(STOPS), paper=paper, address=address, section=stop.section)


def _show_stop(stop: Stop) -> None:
    picture, words = st.columns([2, 1], gap="large")
    # First, so that the words stand while the picture is computed.
    with words:
        _show_words(stop)
    with picture:
        explained = term_help(stop.terms[0]) if stop.terms else None
        st.header(stop.words["title"], anchor=False, help=explained)
        settings = draw(stop.picture) if stop.picture else None
    # Under both: on a phone, the words come before the question.
    if stop.question:
        number = [other.name for other in STOPS if other.question].index(stop.name) + 1
        ask(stop, stop.question, settings, number)


def _show_words(stop: Stop) -> None:
    st.markdown(stop.words["summary"])
    if "formula" in stop.words:
        st.markdown(stop.words["formula"])
    if stop.terms:
        st.markdown(TEXT["terms"].format(terms=" · ".join(map(term_link, stop.terms))))
    if stop.links:
        st.markdown(f"**{TEXT['see more']}**")
        for address, label in stop.links:
            follow(address, label)


if __name__ == "__main__":
    show()
