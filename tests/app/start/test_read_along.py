"""The page Read along, run by Streamlit without a browser."""

import re
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import open_in_app, open_page, run, written
from tests.viz.pages.start.course.steps import answer_of
from viz.base.words import page_text
from viz.pages.start.exercise_sheet import exercise_sheet, filled
from viz.pages.start.reading_path import STOPS
from viz.pages.start.stops import Stop, link_rows
from viz.shell.navigation import places

NAMES = [stop.name for stop in STOPS]
PAGES = {place.part.url_path: place for place in places()}
ADDRESSES = sorted({address for _, address, _ in link_rows()})


def opened(name: str, **url: str) -> AppTest:
    return open_in_app("read_along", stop=str(NAMES.index(name) + 1), **url)


def give(app: AppTest, answer: float | str) -> AppTest:
    if isinstance(answer, str):
        box = next(box for box in app.selectbox if box.label == "Your answer")
        box.select(answer)
    else:
        box = next(box for box in app.number_input if box.label == "Your answer")
        box.set_value(float(answer))
    next(button for button in app.button if button.label == "Check").click()
    return run(app)


@pytest.mark.parametrize("stop", STOPS, ids=NAMES)
def test_a_stop_is_drawn_and_its_question_is_graded(stop: Stop) -> None:
    app = opened(stop.name)
    assert not app.warning
    said = written(app)
    assert stop.words["summary"] in said
    assert app.header[0].value == stop.words["title"]
    assert len(app.get("plotly_chart")) >= (stop.picture is not None)
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))
    assert [link.proto.label for link in app.get("page_link")] == [label for _, label in stop.links]
    if stop.question is None:
        return
    answer = answer_of(stop)
    wrong = next((option for option in answer.options if option != answer.right), -1.0)
    said = written(give(app, wrong))
    assert "**Not right:** you answered" in said
    assert "A hint: " in said
    assert "A hint: " not in written(give(app, wrong))
    said = written(give(app, answer.right))
    assert "**Right.**" in said
    assert "Not right" not in said


def test_the_answer_follows_what_is_set() -> None:
    app = opened("causal-mask")
    assert "**Right.**" in written(give(app, 28))
    app.select_slider[0].set_value(4)
    run(app)
    assert "**Right.**" not in written(app)
    assert "How many of the 4 × 4 entries" in written(app)
    assert "**Right.**" in written(give(app, 6))


@pytest.mark.parametrize("is_right", [True, False])
def test_a_grade_goes_with_the_numbers_that_it_was_of(is_right: bool) -> None:
    # Its question names no number of the sentence.
    right = answer_of(STOPS[NAMES.index("residual")]).right
    app = give(opened("residual"), right if is_right else -1.0)
    assert ("**Right.**" if is_right else "Not right") in written(app)
    app.text_input(key="stop-sentence").set_value("Two dogs are running through the snow.")
    run(app)
    assert "**Right.**" not in written(app)
    assert "Not right" not in written(app)


def test_an_answer_from_the_model_follows_the_sentence() -> None:
    app = opened("cross-attention", **{"stop-sentence": "Two dogs are running through the snow."})
    options = next(box for box in app.selectbox if box.label == "Your answer").options
    assert options[:2] == ["1 · Two", "2 · dogs"]


def test_nothing_is_graded_before_it_is_answered() -> None:
    app = opened("schedule")
    next(button for button in app.button if button.label == "Check").click()
    assert "Give an answer first." in written(run(app))


def test_what_the_picture_of_another_stop_is_set_to_is_no_part_of_the_link() -> None:
    app = open_in_app("read_along", stop="5", **{"stop-layer": "3"})
    assert app.query_params["stop-layer"] in ("3", ["3"])
    for _ in range(2):
        next(button for button in app.button if button.label == "Next").click()
        run(app)
    assert {*app.query_params} == {"stop"}


def test_next_and_back_lead_through_the_stops_and_the_link_follows() -> None:
    app = open_in_app("read_along")
    back, following = (next(button for button in app.button if button.label == label) for label in ("Back", "Next"))
    assert back.disabled
    following.click()
    run(app)
    assert app.query_params["stop"] == "2"
    assert app.header[0].value == STOPS[1].words["title"]
    next(button for button in app.button if button.label == "Back").click()
    run(app)
    assert "stop" not in app.query_params
    app.selectbox[0].set_value(len(STOPS))
    run(app)
    assert next(button for button in app.button if button.label == "Next").disabled


@pytest.mark.parametrize("value", ["0", "x", "999", "2.5", "-1"])
def test_a_link_to_no_stop_gets_the_one_sentence_and_the_first_stop(value: str) -> None:
    app = open_in_app("read_along", stop=value)
    label = app.selectbox[0].label
    assert [warning.value for warning in app.warning] == [
        f"The link asks for `{value}` as stop. It takes: 1 – {len(STOPS)}. The default of “{label}” is shown instead."
    ]
    assert app.header[0].value == STOPS[0].words["title"]
    assert not run(app).warning


def test_a_sentence_without_words_gets_a_sentence_and_the_example() -> None:
    app = opened("residual", **{"stop-sentence": " "})
    assert len(app.warning) == 1
    assert "The example is shown instead." in app.warning[0].value


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("label-smoothing", {"epsilon": "7"}),
        ("sinusoids", {"sinusoids-d_model": "63"}),
        ("generalization", {"stop-task": "Juggling"}),
        ("multi-head", {"stop-layer": "44"}),
    ],
)
def test_a_link_to_no_setting_gets_the_one_sentence(name: str, link: dict[str, str]) -> None:
    (warning,) = opened(name, **link).warning
    ((key, value),) = link.items()
    assert warning.value.startswith(f"The link asks for `{value}` as {key}.")


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_app_has_what_a_stop_leads_to(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _, query = address.partition("?")
    assert path in PAGES
    if query:
        # A page by itself has no other to lead to.
        monkeypatch.setattr("streamlit.page_link", lambda *_, **__: None)
        assert not open_page(PAGES[path].part.path.stem, **dict(parse_qsl(query))).warning


def test_the_table_of_links_names_stops() -> None:
    assert {name for name, _, _ in link_rows()} <= {*NAMES}


def test_the_sheet_has_every_question_and_its_answer_on_a_last_page() -> None:
    sheet = exercise_sheet(STOPS, "http://host/read-along")
    assert 'href="http://host/read-along?stop=1"' in sheet
    questions, answers = sheet.split('<section class="answers">')
    asked = [stop for stop in STOPS if stop.question]
    assert questions.count("<li>") == answers.count("<li>") == len(asked) >= 12
    assert "@media print" in sheet
    assert "break-before: page" in sheet
    assert "8 × 7 / 2 = 28 of 64" in answers
    assert "8 × 7 / 2" not in questions
    assert not re.search(r"[{}]", re.sub(r"<style>.*</style>", "", sheet, flags=re.DOTALL))


@pytest.mark.parametrize("stop", STOPS, ids=NAMES)
def test_a_summary_is_short_and_a_question_has_all_its_words(stop: Stop) -> None:
    words = stop.words
    prose = re.sub(r"\$[^$]+\$", "formula", words["summary"])
    assert 60 <= len(prose.split()) <= 120
    assert (
        {"question", "hint", "reason"} <= {*words} if stop.question else not {"question", "hint", "reason"} & {*words}
    )
    assert {*words} <= {"title", "summary", "formula", "question", "given", "hint", "reason"}
    if stop.question:
        answer = answer_of(stop)
        assert all(filled(words[part], answer) for part in ("question", "hint", "reason"))
        # They are printed as they stand.
        assert not re.search(r"[*$`]|\]\(", words["question"] + words["hint"] + words["reason"])


def test_every_section_of_the_words_is_a_stop_in_their_order() -> None:
    assert list(page_text("pages/start/stops")) == NAMES


def test_a_term_of_the_glossary_that_leads_here_leads_to_a_stop_that_names_it() -> None:
    for name, body in page_text("base/glossary").items():
        led = re.search(r"read-along\?stop=(\d+)", body)
        if led:
            assert name in STOPS[int(led[1]) - 1].terms, name


def test_who_comes_back_goes_on_after_the_last_stop_that_was_answered() -> None:
    app = open_in_app("read_along", done="1.2.4")
    app.button(key="go-on").click()
    run(app)
    assert app.query_params["stop"] in ("5", ["5"])
    assert not [button for button in app.button if button.key == "go-on"]
    assert not [button for button in opened(NAMES[0]).button if button.key == "go-on"]


def test_the_link_keeps_which_questions_were_answered_right() -> None:
    app = opened("stacks")
    assert "done" not in app.query_params
    give(app, answer_of(STOPS[0]).right)
    assert app.query_params["done"] in ("1", ["1"])
    assert "Answered right: 1 of" in app.get("progress")[0].proto.text
    later = opened("multi-head", done="1.3")
    assert not later.warning
    assert "Answered right: 2 of" in later.get("progress")[0].proto.text
    number = NAMES.index("multi-head") + 1
    give(later, answer_of(STOPS[number - 1]).right)
    assert later.query_params["done"] in (f"1.3.{number}", [f"1.3.{number}"])


@pytest.mark.parametrize("done", ["", "0", "1.", "1.99", "x", "-1", "1,3"])
def test_a_link_to_no_such_answers_gets_one_sentence(done: str) -> None:
    app = opened("stacks", done=done)
    (warning,) = app.warning
    assert "as done" in warning.value
    assert "Answered right: 0 of" in app.get("progress")[0].proto.text
