"""Questions on the screen, graded with a hint first, and the way through the stops that ask them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

import streamlit as st

from model.checkpoint import DamagedWeightsError
from viz.base.markdown import plain
from viz.base.numbers import in_full
from viz.base.words import page_text
from viz.components.kept_text import keep_text, kept_text
from viz.pages.start.exercise_sheet import filled
from viz.pages.start.state import AnsweredStops
from viz.pages.start.stops import Answer, Attempt, Exercise, Question
from viz.shared.shipped import damage
from viz.shell.controls import download
from viz.shell.page import link_to
from viz.shell.state import keep_in_session, kept, set_link

TEXT = page_text("pages/start/read_along")


def draw_or_say_why(draw: Callable[[], None]) -> None:
    """Draw, or say why what is drawn cannot be read."""
    try:
        draw()
    except (DamagedWeightsError, OSError) as error:
        st.warning(TEXT["no picture"].format(reason=plain(damage(error))))


def follow(address: str, label: str, more: Mapping[str, str] | None = None) -> None:
    """Draw a link to the view of the app at ``address``, which may carry parameters, and ``more`` of them."""
    path, _, query = address.partition("?")
    link_to(path, label, {**dict(parse_qsl(query)), **(more or {})})


def lead_on(number: int, total: int, open_number: Callable[[int], None]) -> None:
    """Draw the links to the stops before and after ``number``; the last stop links to another page."""
    is_last = number == total
    with st.container(horizontal=True, key="reading-end" if is_last else "reading-on"):
        st.button(TEXT["back"], on_click=open_number, args=(number - 1,), disabled=number == 1)
        st.button(TEXT["next stop"], on_click=open_number, args=(number + 1,), disabled=is_last, type="primary")


def answered(field: AnsweredStops, exercises: Mapping[int, Exercise]) -> tuple[int, ...]:
    """Return the places of right answers: the visitor's own, now and from before, and those of the link.

    All are kept in the link.
    """
    last = {place: kept(Attempt, exercise.name) for place, exercise in exercises.items()}
    right = {place for place, attempt in last.items() if attempt and attempt.is_right}
    own = (kept(_Own, field.key) or _Own()).places | right
    _keep_in_browser(field, own)
    done = tuple(sorted(own.union(st.session_state[field.key])))
    st.session_state[field.key] = done
    set_link(field, done)
    return done


@dataclass(frozen=True)
class _Own:
    """The places that the visitor answered right: a link may have another person's."""

    places: frozenset[int] = frozenset()


def _keep_in_browser(field: AnsweredStops, own: frozenset[int]) -> None:
    """Have the visitor's browser keep ``own``, and add to them what it kept from another day."""
    name = f"read-along-{field.key}"

    def add() -> None:
        parts = kept_text(name).split(".")
        before = {place for place in field.asked if str(place) in parts}
        keep_in_session(_Own(own | before), field.key)

    with st.container(key=f"kept-{field.key}"):
        keep_text(name, field.write(tuple(sorted(own))), on_return=add)


def show_progress(done: tuple[int, ...], field: AnsweredStops) -> None:
    """Draw how many of all questions were answered right."""
    st.progress(len(done) / len(field.asked), TEXT["progress"].format(done=len(done), questions=len(field.asked)))


def offer_sheet(sheet: Callable[[], str], file_name: str, about: str = "") -> None:
    """Draw the download of an exercise sheet, and say what it is: ``about``, or the sheet of all stops."""
    download(TEXT["download"], sheet, file_name)
    st.markdown(about or TEXT["sheet help"])


def ask(exercise: Exercise, question: Question, settings: object, number: int) -> None:
    """Draw the question ``number``, the box of its answer, and what the last answer was worth."""
    answer = question(settings)
    words = exercise.words
    asked = filled(words["question"], answer)
    st.subheader(TEXT["question heading"].format(number=number), anchor=False)
    st.markdown(safe(words["question"], answer))
    with st.form(f"question-{exercise.name}", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        typed = _answer_box(answer)
        is_checked = st.form_submit_button(TEXT["check"])
        # Beside the answer: below, it would lie under the edge of a laptop's screen.
        grade = st.container(key="grade")
    last = kept(Attempt, exercise.name)
    if last and (last.question, last.right) != (asked, answer.right):
        last = None
    if is_checked:
        is_right = typed is not None and answer.accepts(typed)
        n_wrong = (last.n_wrong if last else 0) + (typed is not None and not is_right)
        last = Attempt(asked, answer.right, typed, is_right, n_wrong)
        keep_in_session(last, exercise.name)
    if last:
        grade.markdown(_grade(exercise, answer, last))
    with st.expander(TEXT["hint"]):
        st.markdown(safe(words["hint"], answer))


def _answer_box(answer: Answer) -> float | str | None:
    if answer.options:
        return st.selectbox(TEXT["your answer"], answer.options, index=None, placeholder=TEXT["choose"], width=320)
    return st.number_input(TEXT["your answer"], value=None, step=_step(answer), format="%g", width=200)


def _step(answer: Answer) -> float:
    return 1.0 if isinstance(answer.right, int) else 0.1


def _grade(exercise: Exercise, answer: Answer, last: Attempt) -> str:
    """Return what is said of the last answer: of the first wrong one a hint, of the next one the solution."""
    if last.answer is None:
        return TEXT["nothing given"]
    reason = safe(exercise.words["reason"], answer)
    if last.is_right:
        return TEXT["right"].format(reason=reason)
    shown = plain(last.answer if isinstance(last.answer, str) else in_full(last.answer))
    if last.n_wrong == 1:
        return TEXT["wrong once"].format(given=shown, hint=safe(_hint(exercise, answer, last.answer), answer))
    return TEXT["wrong"].format(given=shown, reason=reason)


def _hint(exercise: Exercise, answer: Answer, response: float | str) -> str:
    """Return what is wrong with ``response``, where it is a known mistake, else the general hint."""
    place = answer.mistake(response)
    return exercise.words["hint"] if place is None else exercise.words.lines("mistakes")[place]


def safe(text: str, answer: Answer) -> str:
    """Return ``text`` with the values of ``answer``, escaped so that Markdown shows words unchanged."""
    escaped = {name: plain(value) if isinstance(value, str) else value for name, value in answer.values.items()}
    right = plain(answer.right) if isinstance(answer.right, str) else answer.right
    return filled(text, Answer(right, escaped))
