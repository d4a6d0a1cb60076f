"""Five labs, a part of the page Read along: steps at states of pages, questions, an open question."""

from dataclasses import replace
from functools import partial

import streamlit as st

from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.words import between, page_text
from viz.pages.start.asking import answered, ask, draw_or_say_why, follow, lead_on, offer_sheet, show_progress
from viz.pages.start.components.page_top import page_top
from viz.pages.start.course.lab import Lab, LabStep, labs
from viz.pages.start.course.sheet import lab_sheet
from viz.pages.start.drawing import draw
from viz.pages.start.state import AnsweredStops
from viz.shell.back import back_link
from viz.shell.controls import download, place_for_warnings, select, warn_bad_links
from viz.shell.state import hold

TEXT = page_text("pages/start/labs")
_LAB, _STEP = "lab", "lab-step"
_PLACES = tuple((lab, step) for lab in labs() for step in lab.steps)
_ASKED = {place: step for place, (_, step) in enumerate(_PLACES, start=1) if step.question}
_DONE = AnsweredStops("labs-done", (), tuple(_ASKED))


def show() -> None:
    """Draw the page."""
    chapters, step_itself = st.columns([1, 4], gap="medium")
    with step_itself:
        lab, step = _choose()
        place = _PLACES.index((lab, step)) + 1
        number, total = lab.steps.index(step) + 1, len(labs())
        st.markdown(
            TEXT["where"].format(
                number=labs().index(lab) + 1, total=total, step=number, steps=len(lab.steps), minutes=step.minutes
            )
        )
        draw_or_say_why(lambda: _show_step(lab, step))
        lead_on(place, len(_PLACES), _open)
    # After the step, whose question may just have been answered.
    with chapters:
        _show_chapters(lab, step)
    page_top(place, key="labs-top")


def _choose() -> tuple[Lab, LabStep]:
    """Draw the lists of labs and steps, for a phone, and return the shown pair.

    It is that of the link, or else the last one.
    """
    by_id = {lab.id: lab for lab in labs()}
    lab_field = labelled(_LAB, worded(by_id, lambda name: _labelled(by_id[name])))
    warnings = place_for_warnings()
    warn_bad_links(warnings, [lab_field, _DONE])
    hold(lab_field)
    hold(_DONE)
    with st.container(key="reading-way"):
        lab = by_id[select(lab_field, TEXT["lab"], label_visibility="collapsed")]
        titles = worded(range(1, len(lab.steps) + 1), partial(_step_title, lab))
        field = replace(labelled(_STEP, titles), summary=between(1, len(lab.steps)))
        warn_bad_links(warnings, [field])
        hold(field)
        return lab, lab.steps[select(field, TEXT["step"], label_visibility="collapsed") - 1]


def _open(place: int) -> None:
    lab, step = _PLACES[place - 1]
    st.session_state[_LAB], st.session_state[_STEP] = lab.id, lab.steps.index(step) + 1


def _show_chapters(opened: Lab, shown: LabStep) -> None:
    """Draw every lab, and the steps of the open one, ticked where all their questions are answered."""
    done = answered(_DONE, _ASKED)
    right = {_ASKED[place] for place in done}
    with st.container(key="chapters", gap=None):
        show_progress(done, _DONE)
        for lab in labs():
            first = _PLACES.index((lab, lab.steps[0])) + 1
            title = TEXT["lab done"] if {*lab.asked} <= right else TEXT["choice"]
            label = title.format(number=labs().index(lab) + 1, title=lab.words["title"])
            st.button(f"**{label}**", on_click=_open, args=(first,), key=f"chapter-{lab.id}", type="tertiary")
            if lab == opened:
                with st.container(key="chapter-steps", gap=None):
                    _show_steps(lab, shown, right)
        page = st.context.url or ""
        offer_sheet(lambda: lab_sheet(opened, labs().index(opened) + 1, page), f"{opened.id}.html", TEXT["sheet help"])
        download(TEXT["notebook"], opened.notebook.read_bytes, f"{opened.id}.ipynb")
        st.markdown(TEXT["notebook help"])


def _show_steps(lab: Lab, shown: LabStep, right: set[LabStep]) -> None:
    for place, (_, step) in enumerate(_PLACES, start=1):
        if step not in lab.steps:
            continue
        title = TEXT["lab done"] if step in right else TEXT["choice"]
        label = title.format(number=lab.steps.index(step) + 1, title=step.words["title"])
        key = f"chapter-current-{place}" if step == shown else f"chapter-{place}"
        st.button(label, on_click=_open, args=(place,), key=key, type="tertiary")


def _labelled(lab: Lab) -> str:
    return TEXT["choice"].format(number=labs().index(lab) + 1, title=lab.words["title"])


def _step_title(lab: Lab, number: int) -> str:
    return TEXT["choice"].format(number=number, title=lab.steps[number - 1].words["title"])


def _show_step(lab: Lab, step: LabStep) -> None:
    left, right = st.columns([2, 1], gap="large")
    # What is to be done stands before a picture is computed, and beside it.
    with right:
        if step.picture:
            _show_task(lab, step)
        _show_goals(lab, is_last=step == lab.steps[-1])
    with left:
        st.header(step.words["title"], anchor=False)
        settings = draw(step.picture) if step.picture else None
        if not step.picture:
            _show_task(lab, step)
        if step.question:
            ask(step, step.question, settings, lab.asked.index(step) + 1)
        if step == lab.steps[-1]:
            st.subheader(TEXT["open question"], anchor=False)
            st.markdown(lab.words["open question"])
            _offer_answer(lab.words["good answer"])


def _show_task(lab: Lab, step: LabStep) -> None:
    st.markdown(step.text)
    way_back = back_link(lab.id, lab.steps.index(step) + 1)
    follow(step.address, TEXT["open"].format(view=step.words["link"]), way_back)
    if step.good_answer:
        _offer_answer(step.good_answer)


def _offer_answer(answer: str) -> None:
    with st.expander(TEXT["good answer"]):
        st.markdown(answer)


def _show_goals(lab: Lab, *, is_last: bool) -> None:
    st.markdown(f"**{TEXT['goals']}**\n\n{_as_list(lab.words.lines('goals'))}")
    st.markdown(TEXT["time"].format(minutes=lab.minutes))
    if is_last:
        st.markdown(f"**{TEXT['sources']}**\n\n{_as_list(lab.words.lines('sources'))}")


def _as_list(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
