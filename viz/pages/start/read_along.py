"""Read along: three papers, section by section, each with its picture at work and a question about it."""

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import parse_qsl

import streamlit as st

from model.checkpoint import DamagedWeightsError
from viz.base.glossary import term_help, term_link
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.markdown import plain
from viz.base.words import between, page_text
from viz.pages.start.components.page_top import page_top
from viz.pages.start.drawing import draw
from viz.pages.start.exercise_sheet import exercise_sheet, filled
from viz.pages.start.reading_path import STOPS
from viz.pages.start.state import AnsweredStops
from viz.pages.start.stops import Answer, Attempt, Question, Stop
from viz.shared.shipped import damage
from viz.shell.controls import download, place_for_warnings, select, warn_bad_links
from viz.shell.page import link_to
from viz.shell.state import hold, keep_in_session, kept, set_link

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
        _draw_or_say_why(lambda: _show_stop(stop))
        _lead_on(number)
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


def _lead_on(number: int) -> None:
    """Draw the ways to the stops before and after; where there is one after, the page does not lead to another page."""
    is_last = number == len(STOPS)
    with st.container(horizontal=True, key="reading-end" if is_last else "reading-on"):
        st.button(TEXT["back"], on_click=_open, args=(number - 1,), disabled=number == 1)
        st.button(TEXT["next stop"], on_click=_open, args=(number + 1,), disabled=is_last, type="primary")


def _open(number: int) -> None:
    st.session_state[_KEY] = number


def _show_chapters(number: int) -> None:
    """Draw every stop under its paper, with a tick where its question was answered right."""
    done = _done()
    with st.container(key="chapters", gap=None):
        st.progress(len(done) / len(_DONE.asked), TEXT["progress"].format(done=len(done), questions=len(_DONE.asked)))
        for place, stop in enumerate(STOPS, start=1):
            if place == 1 or stop.paper != STOPS[place - 2].paper:
                st.markdown(f"**{TEXT[f'paper {stop.paper}']}**")
            label = TEXT["done" if place in done else "not done"].format(number=place, title=stop.words["title"])
            key = f"chapter-current-{place}" if place == number else f"chapter-{place}"
            st.button(label, on_click=_open, args=(place,), key=key, type="tertiary")
        page = st.context.url or ""
        download(TEXT["download"], lambda: exercise_sheet(STOPS, page), "exercises.html")
        st.markdown(TEXT["sheet help"])


def _done() -> tuple[int, ...]:
    """Return the stops whose questions were answered right, now or as the link says, and have the link carry them."""
    last = {place: kept(Attempt, STOPS[place - 1].name) for place in _DONE.asked}
    right = {place for place, attempt in last.items() if attempt and attempt.is_right}
    done = tuple(sorted({*st.session_state[_DONE.key], *right}))
    st.session_state[_DONE.key] = done
    set_link(_DONE, done)
    return done


def _choice(number: int) -> str:
    stop = STOPS[number - 1]
    return TEXT["choice"].format(number=number, section=stop.section, title=stop.words["title"])


def where(number: int, stop: Stop) -> str:
    """Return where the stop ``number`` is in its paper, as Markdown."""
    paper, address = TEXT[f"paper {stop.paper}"], TEXT[f"address {stop.paper}"]
    return TEXT["where"].format(number=number, total=len(STOPS), paper=paper, address=address, section=stop.section)


def _draw_or_say_why(draw: Callable[[], None]) -> None:
    try:
        draw()
    except (DamagedWeightsError, OSError) as error:
        st.warning(TEXT["no picture"].format(reason=plain(damage(error))))


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
        _ask(stop, stop.question, settings)


def _show_words(stop: Stop) -> None:
    st.markdown(stop.words["summary"])
    if "formula" in stop.words:
        st.markdown(stop.words["formula"])
    if stop.terms:
        st.markdown(TEXT["terms"].format(terms=" · ".join(map(term_link, stop.terms))))
    if stop.links:
        st.markdown(f"**{TEXT['see more']}**")
        for address, label in stop.links:
            _link(address, label)


def _link(address: str, label: str) -> None:
    path, _, query = address.partition("?")
    link_to(path, label, dict(parse_qsl(query)))


def _ask(stop: Stop, question: Question, settings: object) -> None:
    answer = question.answer(settings)
    asked = filled(stop.words["question"], answer)
    number = [other.name for other in STOPS if other.question].index(stop.name) + 1
    st.subheader(TEXT["question heading"].format(number=number), anchor=False)
    st.markdown(safe(stop.words["question"], answer))
    with st.form(f"question-{stop.name}", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        typed = _answer_box(answer)
        is_checked = st.form_submit_button(TEXT["check"])
        # Beside the answer: below, it would lie under the edge of a laptop's screen.
        grade = st.container(key="grade")
    last = kept(Attempt, stop.name)
    if last and last.question != asked:
        last = None
    if is_checked:
        is_right = typed is not None and answer.accepts(typed)
        n_wrong = (last.n_wrong if last else 0) + (typed is not None and not is_right)
        last = Attempt(asked, typed, is_right, n_wrong)
        keep_in_session(last, stop.name)
    if last:
        grade.markdown(_grade(stop, answer, last))
    with st.expander(TEXT["hint"]):
        st.markdown(safe(stop.words["hint"], answer))


def _answer_box(answer: Answer) -> float | str | None:
    if answer.options:
        return st.selectbox(TEXT["your answer"], answer.options, index=None, placeholder=TEXT["choose"], width=320)
    return st.number_input(TEXT["your answer"], value=None, step=_step(answer), format="%g", width=200)


def _step(answer: Answer) -> float:
    return 1.0 if isinstance(answer.right, int) else 0.1


def _grade(stop: Stop, answer: Answer, last: Attempt) -> str:
    """Return what is said of the last answer: of the first wrong one a hint, of the next one the solution."""
    if last.answer is None:
        return TEXT["nothing given"]
    reason = safe(stop.words["reason"], answer)
    if last.is_right:
        return TEXT["right"].format(reason=reason)
    shown = plain(last.answer if isinstance(last.answer, str) else f"{last.answer:g}")
    if last.n_wrong == 1:
        return TEXT["wrong once"].format(given=shown, hint=safe(stop.words["hint"], answer))
    return TEXT["wrong"].format(given=shown, reason=reason)


def safe(text: str, answer: Answer) -> str:
    """Return ``text`` with the values of ``answer`` in it, so that Markdown shows words of a sentence as they are."""
    escaped = {name: plain(value) if isinstance(value, str) else value for name, value in answer.values.items()}
    right = plain(answer.right) if isinstance(answer.right, str) else answer.right
    return filled(text, Answer(right, escaped))


if __name__ == "__main__":
    show()
