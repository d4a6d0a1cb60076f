"""The labs, run by Streamlit without a browser: every link opens its state, and every question is graded."""

from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.links import linkable
from tests.app.running import open_in_app, run, written
from tests.viz.pages.start.course.steps import answer_of
from viz.base.languages import LANGUAGES, in_language
from viz.base.words import page_text
from viz.pages.start.asking import safe
from viz.pages.start.course.lab import Lab, LabStep, labs
from viz.shell.navigation import place_at

STEPS = [(lab, step) for lab in labs() for step in lab.steps]
ASKED = [(lab, step) for lab in labs() for step in lab.asked]
EACH_STEP, EACH_QUESTION = (
    pytest.mark.parametrize(("lab", "step"), some, ids=[step.name for _, step in some]) for some in (STEPS, ASKED)
)
# What a page takes from its link is known in the process that has its tests.
EACH_LINK = pytest.mark.parametrize(
    "step",
    [
        pytest.param(step, id=step.name, marks=pytest.mark.xdist_group(f"page {place_at(step.page).part.path.stem}"))
        for _, step in STEPS
    ],
)
# The page itself warns there: it is what the step is about.
OVERFLOWS = {"by_hand.overflow"}
# What a page takes where other parameters ask for it.
SOMETIMES = {"kind", "sentence", "layer", "head", "cell", "grokking-step"}
READ, TEXT = page_text("pages/start/read_along"), page_text("pages/start/labs")


def opened(lab: Lab, step: LabStep, **url: str) -> AppTest:
    return open_in_app("labs", **{"lab": lab.id, "lab-step": str(lab.steps.index(step) + 1), **url})


def give(app: AppTest, answer: float | str) -> AppTest:
    label = READ["your answer"]
    if isinstance(answer, str):
        next(box for box in app.selectbox if box.label == label).select(answer)
    else:
        next(box for box in app.number_input if box.label == label).set_value(float(answer))
    next(button for button in app.button if button.label == READ["check"]).click()
    return run(app)


@EACH_LINK
def test_a_link_opens_the_state_that_it_names(step: LabStep) -> None:
    place = place_at(step.page)
    app = open_in_app(place.part.path.stem, **step.query)
    assert bool(app.warning) == (step.name in OVERFLOWS), [warning.value for warning in app.warning]
    for name, value in step.query.items():
        # What the page opens with leaves the link.
        assert app.query_params.get(name, value) in (value, [value]), name
    assert {*step.query} <= {*linkable(place).names} | SOMETIMES


@EACH_STEP
def test_a_step_shows_its_words_and_leads_to_its_page(lab: Lab, step: LabStep) -> None:
    app = opened(lab, step)
    assert not app.warning
    assert app.header[0].value == step.words["title"]
    assert step.text in written(app)
    links = [link.proto for link in app.get("page_link")]
    assert [link.label for link in links] == [f"Open: {step.words['link']}"]
    (link,) = links
    way_back = ("back", f"{lab.id}.{lab.steps.index(step) + 1}")
    assert {*parse_qsl(link.query_string)} == {*step.query.items(), *place_at(step.page).query.items(), way_back}
    is_last = step == lab.steps[-1]
    assert (lab.words["open question"] in written(app)) == is_last
    good = [step.good_answer] * bool(step.good_answer) + [lab.words["good answer"]] * is_last
    folded = [entry for entry in app.expander if entry.label == TEXT["good answer"]]
    assert [entry.markdown[0].value for entry in folded] == good
    assert (lab.words.lines("sources")[0] in written(app)) == is_last


@pytest.mark.parametrize("reading", [*LANGUAGES])
@EACH_QUESTION
def test_an_answer_is_graded_with_a_hint_first(lab: Lab, step: LabStep, reading: str) -> None:
    with in_language(reading):
        answer, words = answer_of(step), step.words
        app = opened(lab, step, language=reading)
        assert safe(words["hint"], answer) not in written_without_hint(app)
        mistake = answer.mistakes[0]
        said = written_without_hint(give(app, mistake))
        assert safe(words.lines("mistakes")[0], answer) in said
        assert safe(words["reason"], answer) not in said
        assert safe(words["reason"], answer) in written_without_hint(give(app, mistake))
        said = written_without_hint(give(app, answer.right))
        assert READ["right"].format(reason=safe(words["reason"], answer)) in said


def written_without_hint(app: AppTest) -> str:
    """Return what is to be seen: the general hint lies folded under the answer."""
    folded = {id(entry) for expander in app.expander for entry in expander.markdown}
    return "\n".join(entry.value for entry in app.markdown if id(entry) not in folded)


def test_an_answer_that_is_no_known_mistake_gets_the_general_hint() -> None:
    lab, step = ASKED[1]
    said = written_without_hint(give(opened(lab, step), -5.0))
    assert safe(step.words["hint"], answer_of(step)) in said


def test_the_question_about_the_scale_follows_the_slider() -> None:
    lab = labs()[0]
    step = next(step for step in lab.steps if step.key == "scale")
    app = opened(lab, step)
    app.select_slider[0].set_value(256)
    run(app)
    assert "Let d\\_k be 256" in written(app) or "Let d_k be 256" in written(app)
    assert "**Right.**" in written(give(app, 16))


def test_the_way_leads_from_the_last_step_of_a_lab_to_the_next_lab_and_the_link_follows() -> None:
    first, second = labs()[:2]
    app = opened(first, first.steps[-1])
    next(button for button in app.button if button.label == READ["next stop"]).click()
    run(app)
    assert app.header[0].value == second.steps[0].words["title"]
    assert app.query_params["lab"] in (second.id, [second.id])
    assert "lab-step" not in app.query_params
    last = opened(labs()[-1], labs()[-1].steps[-1])
    assert next(button for button in last.button if button.label == READ["next stop"]).disabled


def test_the_link_keeps_which_questions_were_answered_right() -> None:
    lab, step = ASKED[0]
    app = opened(lab, step)
    give(app, answer_of(step).right)
    assert app.query_params["labs-done"] in ("2", ["2"])
    later = opened(labs()[1], labs()[1].steps[1], **{"labs-done": "2.3"})
    assert not later.warning
    assert f"Answered right: 2 of {len(ASKED)}" in later.get("progress")[0].proto.text


def test_a_link_to_no_such_answers_gets_one_sentence() -> None:
    (warning,) = open_in_app("labs", **{"labs-done": "1"}).warning
    assert warning.value.startswith("The link asks for `1` as labs-done.")
