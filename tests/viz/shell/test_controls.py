"""What a control does with a link that it refuses."""

import pytest

from tests.app.running import open_source, run

BOXES = """
import streamlit as st
from viz.base.link_parameters import Number, Text
from viz.shell.controls import number, text_input
number(Number("n", 5, 1, 9), "n")
text_input(Text("words", "a", 4), "words")
st.button("again")
"""


@pytest.mark.parametrize("key", ["n", "words"])
def test_the_first_edit_after_a_refused_link_is_in_the_link(key: str) -> None:
    app = open_source(BOXES, n="1e999", words="too long")
    assert dict(app.query_params) == {}
    if key == "n":
        app.number_input(key="n").set_value(7)
    else:
        app.text_input(key="words").set_value("b")
    assert dict(run(app).query_params) == {key: {"n": "7", "words": "b"}[key]}
    assert (app.number_input(key="n").value, app.text_input(key="words").value) in {(7, "a"), (5, "b")}


def test_a_refused_link_stays_refused_when_something_else_is_pressed() -> None:
    app = open_source(BOXES, n="1e999", words="too long")
    app.button[0].click()
    assert dict(run(app).query_params) == {}
    assert (app.number_input(key="n").value, app.text_input(key="words").value) == (5, "a")


OPENED = """
from viz.base.link_parameters import Choice
from viz.shell.controls import choose
from viz.shell.state import open_on
field = Choice("measure", "loss", ("loss", "share"))
open_on(field, "share")
choose(field, "measure")
"""


def test_what_only_this_session_opens_on_is_in_the_link() -> None:
    app = open_source(OPENED)
    assert app.button_group(key="measure").value == "share"
    assert dict(app.query_params) == {"measure": "share"}
    app.button_group(key="measure").set_value("loss")
    assert dict(run(app).query_params) == {}
    assert run(app).button_group(key="measure").value == "loss"


def test_a_link_outweighs_what_a_session_opens_on() -> None:
    app = open_source(OPENED, measure="loss")
    assert app.button_group(key="measure").value == "loss"
    assert run(app).button_group(key="measure").value == "loss"


PAGES = """
import streamlit as st
from viz.base.link_parameters import Choice
from viz.shell.controls import choose, select
if st.segmented_control("page", ("first", "second"), default="first", key="page") == "first":
    choose(Choice("measure", "loss", ("loss", "share")), "measure")
else:
    select(Choice("measure", "previous", ("previous", "same")), "measure")
"""


def test_a_choice_of_another_page_is_neither_shown_nor_in_the_link() -> None:
    app = open_source(PAGES)
    app.button_group(key="measure").set_value("share")
    run(app)
    app.button_group(key="page").set_value("second")
    assert dict(run(app).query_params) == {}
    assert app.selectbox(key="measure").value == "previous"


def test_a_link_to_another_page_outweighs_what_was_chosen_before() -> None:
    app = open_source(PAGES)
    app.button_group(key="measure").set_value("share")
    run(app)
    app.query_params["measure"] = "same"
    app.button_group(key="page").set_value("second")
    assert dict(run(app).query_params) == {"measure": "same"}
    assert app.selectbox(key="measure").value == "same"
